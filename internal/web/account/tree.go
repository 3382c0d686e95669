package account

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
)

// node is a value of an answer as a page shows it, in the order of the answer.
type node struct {
	Name string
	// Text is a single value; empty for a list or an object.
	Text  string
	Below []node
	// Hidden are the rules that keep the value back.
	Hidden []rule
}

// rule is an access rule that took effect, and whether a scope of the same name lifts it.
type rule struct {
	Name  string
	Scope bool
}

// readTree reads one JSON value; hidden are the rules that took effect, by path.
func readTree(text []byte, hidden map[string][]rule) (node, error) {
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	n, err := readNode(dec, "", hidden)
	return n, err
}

func readNode(dec *json.Decoder, path string, hidden map[string][]rule) (node, error) {
	out := node{Hidden: hidden[strings.TrimPrefix(path, ".")]}
	t, err := dec.Token()
	if err != nil {
		return out, err
	}
	open, nested := t.(json.Delim)
	if !nested {
		if out.Text = "–"; t != nil {
			out.Text = fmt.Sprint(t)
		}
		return out, nil
	}
	for i := 0; dec.More(); i++ {
		name, step := fmt.Sprint(i+1), fmt.Sprintf("[%d]", i)
		if open == '{' {
			key, err := dec.Token()
			if err != nil {
				return out, err
			}
			name, step = fmt.Sprint(key), fmt.Sprintf(".%v", key)
		}
		below, err := readNode(dec, path+step, hidden)
		if err != nil {
			return out, err
		}
		below.Name = name
		out.Below = append(out.Below, below)
	}
	if _, err := dec.Token(); err != nil {
		return out, err
	}
	if out.Below == nil {
		out.Text = "none"
	}
	return out, nil
}
