package main

import (
	"embed"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"path"
	"regexp"
	"strings"
)

//go:embed parts
var partFiles embed.FS

var (
	nameToken  = regexp.MustCompile(`\bZ_[ftvF]_\w+`)
	paramToken = regexp.MustCompile(`\bP_\w+`)
	marker     = regexp.MustCompile(`[ \t]*// ([A-Z_]+)$`)
)

// Scopes of names.
const (
	baseScope  = "base "
	faultScope = "fault "
	fleetScope = "fleet "
)

// write makes the sources of a program and resolves the marks of what is expected.
func (p *program) write() error {
	p.begin()
	if err := p.writeParts(baseScope, p.baseParts...); err != nil {
		return err
	}
	name := path.Base(p.pkg)
	if p.pkg == "" {
		name = "main"
	}
	for _, part := range p.parts {
		if err := p.writePart(faultScope, name, part, p.pkg); err != nil {
			return err
		}
	}
	p.start(name)
	return p.writeParts(baseScope, "main", "record")
}

func (p *program) begin() {
	p.Expected = map[string]place{}
	p.sources["go.mod"] = fmt.Sprintf("module %s\n\ngo %s\n", p.module, p.minor)
}

// writeParts writes parts of package main.
func (p *program) writeParts(scope string, parts ...string) error {
	for _, part := range parts {
		if err := p.writePart(scope, "main", part, ""); err != nil {
			return err
		}
	}
	return nil
}

// start lets main start the fault, if there is one.
func (p *program) start(name string) {
	p.set("import", "")
	p.set("start", "")
	if len(p.parts) == 0 {
		return
	}
	call := p.names.of(faultScope, "Z_F_start") + "()"
	if p.pkg != "" {
		p.set("import", fmt.Sprintf("%q", p.module+"/"+p.pkg))
		call = name + "." + call
	}
	p.set("start", call)
}

func (p *program) writePart(scope, pkg, part, folder string) error {
	text, err := partFiles.ReadFile("parts/" + part + ".go.in")
	if err != nil {
		return err
	}
	p.set("package", pkg)
	source := nameToken.ReplaceAllStringFunc(string(text), func(token string) string {
		return p.names.of(scope, token)
	})
	missing := ""
	source = paramToken.ReplaceAllStringFunc(source, func(token string) string {
		value, ok := p.params[strings.TrimPrefix(token, "P_")]
		if !ok {
			missing = token
		}
		return value
	})
	if missing != "" {
		return fmt.Errorf("%s: no value for %s", part, missing)
	}
	formatted, err := format.Source([]byte(source))
	if err != nil {
		return fmt.Errorf("%s: %w", part, err)
	}
	file := p.names.file(part)
	if err := p.resolve(path.Join(folder, file), formatted); err != nil {
		return err
	}
	if strings.Contains(source, "go:linkname") {
		p.sources[path.Join(folder, "empty.s")] = "// Lets functions without a body pass.\n"
	}
	return nil
}

// resolve removes the marks from a source, keeps it, and enters where they stood as expected.
func (p *program) resolve(file string, source []byte) error {
	lines := strings.Split(string(source), "\n")
	marks := map[int]string{}
	for i, line := range lines {
		if m := marker.FindStringSubmatch(line); m != nil {
			marks[i+1] = strings.ToLower(m[1])
			lines[i] = strings.TrimSuffix(line, m[0])
		}
	}
	text := strings.Join(lines, "\n")
	p.sources[file] = text
	set := token.NewFileSet()
	tree, err := parser.ParseFile(set, file, text, 0)
	if err != nil {
		return err
	}
	for line, mark := range marks {
		for _, declared := range tree.Decls {
			f, ok := declared.(*ast.FuncDecl)
			if !ok || set.Position(f.Pos()).Line > line || set.Position(f.End()).Line < line {
				continue
			}
			p.Expected[mark] = place{
				Function: p.fullName(file, f),
				File:     path.Join(p.module, file),
				Line:     line,
				First:    set.Position(f.Pos()).Line,
				Last:     set.Position(f.End()).Line,
			}
		}
		if _, ok := p.Expected[mark]; !ok {
			return fmt.Errorf("%s:%d: mark outside functions", file, line)
		}
	}
	return nil
}

// fullName is the name of a function as stacks have it.
func (p *program) fullName(file string, f *ast.FuncDecl) string {
	pkg := "main"
	if folder := path.Dir(file); folder != "." {
		pkg = p.module + "/" + folder
	}
	if f.Recv == nil {
		return pkg + "." + f.Name.Name
	}
	receiver := f.Recv.List[0].Type.(*ast.StarExpr).X.(*ast.Ident)
	return fmt.Sprintf("%s.(*%s).%s", pkg, receiver.Name, f.Name.Name)
}
