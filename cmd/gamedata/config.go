package main

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/knadh/koanf/providers/env/v2"
	"github.com/knadh/koanf/v2"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// envPrefix begins the name of every environment variable the program reads.
const envPrefix = "GAMEDATA_"

// settle fills every flag that was not given from the environment, then from the file of
// --config. A key that no verb knows is an error, since it was meant to do something.
func settle(cmd *cobra.Command) error {
	known := allFlags(cmd.Root())
	path, err := configPath(cmd)
	if err != nil {
		return err
	}
	if path != "" {
		layer := koanf.New("\x00")
		if err := layer.Load(settingsFile(path), nil); err != nil {
			return usageError{err}
		}
		delete(known, "config") // a file that names another
		if err := fill(cmd, layer, known, func(key string) string { return key + " in " + path }); err != nil {
			return err
		}
	}
	layer := koanf.New("\x00")
	if err := layer.Load(env.Provider("\x00", env.Opt{Prefix: envPrefix, TransformFunc: func(k, v string) (string, any) {
		return strings.ReplaceAll(strings.ToLower(strings.TrimPrefix(k, envPrefix)), "_", "-"), v
	}}), nil); err != nil {
		return err
	}
	known["config"] = true
	return fill(cmd, layer, known, func(key string) string {
		return envPrefix + strings.ToUpper(strings.ReplaceAll(key, "-", "_"))
	})
}

// configPath is the settings file: --config, else GAMEDATA_CONFIG.
func configPath(cmd *cobra.Command) (string, error) {
	path, err := cmd.Flags().GetString("config")
	if path == "" {
		path = os.Getenv(envPrefix + "CONFIG")
	}
	return path, err
}

// settledBelow is a flag that a settings file may spread over keys of its own below the flag's.
type settledBelow interface {
	SetBelow(name, value string) error
}

// fill sets the flags that a layer has values for; the command line's own stay.
func fill(cmd *cobra.Command, layer *koanf.Koanf, known map[string]bool, called func(string) string) error {
	for _, key := range layer.Keys() {
		name, below, nested := strings.Cut(key, "\x00")
		below = strings.ReplaceAll(below, "\x00", ".")
		told := called(strings.ReplaceAll(key, "\x00", "."))
		flag := cmd.Flags().Lookup(name)
		switch {
		case !known[name]:
			return usageError{fmt.Errorf("unknown setting %s", told)}
		case flag == nil, flag.Changed && flag.Annotations[layerKey] == nil:
			continue
		}
		set := flag.Value.Set
		if nested {
			spread, ok := flag.Value.(settledBelow)
			if !ok {
				return usageError{fmt.Errorf("unknown setting %s", told)}
			}
			set = func(value string) error { return spread.SetBelow(below, value) }
		}
		if err := put(flag.Value, set, layer.Get(key)); err != nil {
			return usageError{fmt.Errorf("%s: %w", told, err)}
		}
		flag.Changed = true
		annotate(flag, layerKey, called(name))
	}
	return nil
}

// put gives a flag what a layer has for it, a text or a list. A list takes the place of what a lower
// layer has, as anything else does.
func put(flag pflag.Value, set func(string) error, given any) error {
	list, isList := flag.(pflag.SliceValue)
	switch given := given.(type) {
	case string:
		if isList {
			if err := list.Replace(nil); err != nil {
				return err
			}
		}
		return set(given)
	case []string:
		if isList {
			return list.Replace(given)
		}
	}
	return errors.New("want one value, not a list")
}

// What is known of a flag besides its value: the layer that gave it, when that was not the
// command line, and that nobody may see it.
const (
	layerKey  = "layer"
	secretKey = "secret"
)

func annotate(flag *pflag.Flag, key, value string) {
	if flag.Annotations == nil {
		flag.Annotations = map[string][]string{}
	}
	flag.Annotations[key] = []string{value}
}

// allFlags names the flags of every verb but --help.
func allFlags(root *cobra.Command) map[string]bool {
	out := map[string]bool{}
	see := func(f *pflag.Flag) { out[f.Name] = f.Name != "help" }
	var walk func(*cobra.Command)
	walk = func(c *cobra.Command) {
		c.PersistentFlags().VisitAll(see)
		c.Flags().VisitAll(see)
		for _, below := range c.Commands() {
			walk(below)
		}
	}
	walk(root)
	return out
}
