package config

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"go.yaml.in/yaml/v3"

	"gamedata/internal/userfile"
)

// settingsFile is the path of a YAML file with settings. It implements a koanf layer.
type settingsFile string

// ReadBytes returns the contents of the file.
func (path settingsFile) ReadBytes() ([]byte, error) { return userfile.Read(string(path), 1<<20) }

// Read returns each value as the text in the file: settings, not YAML, parse numbers, dates and keywords. A list is a
// []string.
func (path settingsFile) Read() (map[string]any, error) {
	text, err := path.ReadBytes()
	if err != nil {
		return nil, fmt.Errorf("settings file: %w", err)
	}
	var doc map[string]yaml.Node
	in := yaml.NewDecoder(bytes.NewReader(text))
	if err := in.Decode(&doc); err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("settings file %s: %w", path, err)
	}
	if err := in.Decode(new(yaml.Node)); !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("settings file %s: it has more than one document: remove the lines ---", path)
	}
	out := make(map[string]any, len(doc))
	for key, node := range doc {
		if out[key], err = literal(&node); err != nil {
			return nil, fmt.Errorf("%s in %s: %w", key, path, err)
		}
	}
	return out, nil
}

func literal(n *yaml.Node) (any, error) {
	switch n.Kind {
	case yaml.AliasNode:
		return literal(n.Alias)
	case yaml.MappingNode:
		var below map[string]yaml.Node
		err := n.Decode(&below)
		out := make(map[string]any, len(below))
		for key, node := range below {
			if err == nil {
				out[key], err = literal(&node)
			}
		}
		return out, err
	case yaml.SequenceNode:
		out := make([]string, len(n.Content))
		for i, entry := range n.Content {
			if entry.Kind != yaml.ScalarNode {
				return nil, errors.New("want a list of single values")
			}
			out[i] = entry.Value
		}
		return out, nil
	}
	if n.ShortTag() == "!!null" {
		return "", nil
	}
	return n.Value, nil
}
