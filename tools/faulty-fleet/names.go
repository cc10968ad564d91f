package main

import (
	"math/rand"
	"strings"
)

var (
	nouns = strings.Fields(`order price stock user session invoice ticket parcel route driver
		account ledger quote basket coupon product review image video catalog payment refund
		customer supplier shipment warehouse sensor reading forecast station meter tariff bill
		contract policy claim patient visit booking room guest flight seat crew cargo depot`)
	things = strings.Fields(`board table index cache book list store keeper pool desk queue
		registry monitor watcher tracker planner builder loader reader printer sorter`)
	verbs = strings.Fields(`update refresh fetch apply merge check load save scan build sort
		route split match count rank score pack sync push pull draw send read find make`)
	folders = strings.Fields(`internal pkg lib service app`)
)

// Names draws words, each once, so that no name of a program occurs twice.
type names struct {
	r     *rand.Rand
	taken map[string]bool
	given map[string]string // by scope and token
}

func newNames(r *rand.Rand) *names {
	return &names{r, map[string]bool{}, map[string]string{}}
}

func (n *names) word(from []string) string { return from[n.r.Intn(len(from))] }

func (n *names) noun() string { return n.word(nouns) }

func (n *names) once(draw func() string) string {
	for {
		if name := draw(); !n.taken[strings.ToLower(name)] {
			n.taken[strings.ToLower(name)] = true
			return name
		}
	}
}

func title(word string) string { return strings.ToUpper(word[:1]) + word[1:] }

// of gives the name for a token Z_X_word of a part: X is f, a function, t, a type, v, a variable;
// F, an exported function. The healthy program and the fault have different scopes.
func (n *names) of(scope, token string) string {
	if name, ok := n.given[scope+token]; ok {
		return name
	}
	name := n.once(func() string {
		switch token[2] {
		case 't':
			return n.noun() + title(n.word(things))
		case 'v':
			return n.noun() + title(n.noun()) + "s"
		case 'F':
			return title(n.word(verbs)) + title(n.noun()) + title(n.word(things))
		}
		return n.word(verbs) + title(n.noun())
	})
	n.given[scope+token] = name
	return name
}

// packages draws the module and the folder of the fault's package, "" for main.
func (n *names) packages() (module, folder string) {
	module = n.noun() + n.word([]string{"d", "-server", "app", "-service"})
	if n.r.Intn(2) == 0 {
		module = "example.test/" + n.noun() + "s/" + module
	}
	switch n.r.Intn(4) {
	case 0:
		return module, ""
	case 1:
		return module, n.noun() + "s"
	}
	return module, n.word(folders) + "/" + n.noun() + "s"
}

// file draws the name of a source file.
func (n *names) file(part string) string {
	if strings.HasSuffix(part, "main") || part == "record" {
		return part + ".go"
	}
	return n.once(func() string { return n.noun() + "_" + n.word(things) + ".go" })
}
