package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// findToolchains finds the newest installed release of each minor version.
func findToolchains(minors []string) (map[string]string, error) {
	out, err := exec.Command("go", "env", "GOMODCACHE", "GOVERSION").Output()
	if err != nil {
		return nil, err
	}
	cache, local, _ := strings.Cut(strings.TrimSpace(string(out)), "\n")
	installed := []string{local}
	found, _ := filepath.Glob(filepath.Join(cache, "golang.org", "toolchain@v0.0.1-go1.*"))
	for _, folder := range found {
		_, release, _ := strings.Cut(filepath.Base(folder), "-")
		release, _, _ = strings.Cut(release, ".linux-")
		installed = append(installed, release)
	}
	newest := map[string]string{}
	for _, minor := range minors {
		best := -1
		for _, release := range installed {
			patch, ok := strings.CutPrefix(release, "go"+minor+".")
			if n, err := strconv.Atoi(patch); ok && err == nil && n > best {
				best, newest[minor] = n, release
			}
		}
		if best < 0 {
			return nil, fmt.Errorf("go %s is not installed (go download it, or leave it out with --go)", minor)
		}
	}
	return newest, nil
}

// record builds and runs the program and leaves its trace in the folder out.
func (p *program) record(out string, s settings) error {
	out, err := filepath.Abs(out)
	if err != nil {
		return err
	}
	work, err := os.MkdirTemp("", "faulty-fleet")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	source := filepath.Join(work, "src")
	if s.keep {
		source = filepath.Join(out, "src", strings.TrimSuffix(p.File, ".trace"))
	}
	if err := p.unpack(source); err != nil {
		return err
	}
	binary := filepath.Join(work, "program")
	if _, err := p.command(time.Minute*9, source, "go", "build", "-trimpath", "-o", binary, "."); err != nil {
		return err
	}
	trace := filepath.Join(out, p.File)
	if err := p.runs(work, binary, trace, s); err != nil {
		return err
	}
	if s.pack {
		if _, err := p.command(time.Minute, out, "zstd", "-19", "-q", "-f", "--rm", trace); err != nil {
			return err
		}
		p.File += ".zst"
	}
	info, err := os.Stat(filepath.Join(out, p.File))
	if err == nil {
		p.Measured.Bytes = info.Size()
	}
	return err
}

// Where all Ps are busy the background sweeper may yield many thousand times: such a run is tried
// again some times.
const (
	largeBytes = 400_000
	moreTries  = 3
)

// runs runs the program some times and keeps the trace of the run that waited least for cores, a
// large one only where all are.
func (p *program) runs(work, binary, trace string, s settings) error {
	limit := time.Duration(p.Seconds*float64(time.Second)) + time.Minute
	large := true
	for i := 0; i < s.tries || large && i < s.tries+moreTries; i++ {
		attempt := filepath.Join(work, "trace")
		said, err := p.command(limit, work, "nice", "-n", strconv.Itoa(s.nice), binary, attempt)
		if err != nil {
			return err
		}
		var m measured
		if _, err := fmt.Sscan(said, &m.Starved, &m.Busy); err != nil {
			return err
		}
		content, err := os.ReadFile(attempt)
		if err != nil {
			return err
		}
		tooLarge := len(content) > largeBytes
		better := large && !tooLarge || large == tooLarge && m.Starved < p.Measured.Starved
		if i > 0 && !better {
			continue
		}
		large = tooLarge
		p.Measured = measured{Starved: round(m.Starved), Busy: round(m.Busy)}
		if err := os.WriteFile(trace, content, 0o666); err != nil {
			return err
		}
	}
	return nil
}

func (p *program) unpack(folder string) error {
	for name, text := range p.sources {
		name = filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			return err
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			return err
		}
	}
	return nil
}

// command runs a command in a folder, for no longer than the limit.
func (p *program) command(limit time.Duration, folder string, words ...string) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	c := exec.CommandContext(ctx, words[0], words[1:]...)
	c.Dir = folder
	c.Env = append(os.Environ(), "GOTOOLCHAIN="+p.Go, "GOFLAGS=", "GOWORK=off", "CGO_ENABLED=0",
		"GODEBUG="+p.Godebug, "GOGC=", "GOMEMLIMIT=")
	var said bytes.Buffer
	c.Stdout, c.Stderr = &said, &said
	if err := c.Run(); err != nil {
		return "", fmt.Errorf("%s: %w\n%s", filepath.Base(words[0]), err, said.String())
	}
	return said.String(), nil
}
