package config

import (
	"errors"
	"os"
	"strings"

	"github.com/knadh/koanf/providers/env/v2"
	"github.com/knadh/koanf/v2"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// envPrefix begins the name of every environment variable that the program reads.
const envPrefix = "GAMEDATA_"

// separator separates nested keys of a settings file; a key cannot contain it.
const separator = "\x00"

// Load sets every flag of cmd that the command line does not set from the environment, then from the file named by
// --config. A key that is no flag of any command is an error.
func Load(cmd *cobra.Command) error {
	known := flagNames(cmd.Root())
	path, err := configPath(cmd)
	if err != nil {
		return err
	}
	if path != "" {
		layer := koanf.New(separator)
		if err := layer.Load(settingsFile(path), nil); err != nil {
			return UsageError{err}
		}
		delete(known, "config") // one file cannot name another
		if err := applyLayer(cmd, layer, known, func(key string) string { return key + " in " + path }); err != nil {
			return err
		}
	}
	layer := koanf.New(separator)
	if err := layer.Load(env.Provider(separator, env.Opt{
		Prefix: envPrefix,
		TransformFunc: func(k, v string) (string, any) {
			return strings.ReplaceAll(strings.ToLower(strings.TrimPrefix(k, envPrefix)), "_", "-"), v
		},
	}), nil); err != nil {
		return err
	}
	known["config"] = true
	return applyLayer(cmd, layer, known, envName)
}

// configPath is the settings file: --config, else GAMEDATA_CONFIG.
func configPath(cmd *cobra.Command) (string, error) {
	path, err := cmd.Flags().GetString("config")
	if path == "" {
		path = os.Getenv(envPrefix + "CONFIG")
	}
	return path, err
}

// nestedFlag is a flag whose value a settings file may spread over nested keys.
type nestedFlag interface {
	SetNested(name, value string) error
}

// applyLayer sets the flags for which a layer has values, except flags that the command line set. describe gives a
// key's name for messages.
func applyLayer(cmd *cobra.Command, layer *koanf.Koanf, known map[string]bool, describe func(string) string) error {
	for _, key := range layer.Keys() {
		name, below, nested := strings.Cut(key, separator)
		below = strings.ReplaceAll(below, separator, ".")
		shown := describe(strings.ReplaceAll(key, separator, "."))
		flag := cmd.Flags().Lookup(name)
		switch {
		case !known[name]:
			return Usagef("unknown setting %s", shown)
		case flag == nil, flag.Changed && flag.Annotations[layerKey] == nil:
			continue
		}
		set := flag.Value.Set
		if nested {
			value, ok := flag.Value.(nestedFlag)
			if !ok {
				return Usagef("unknown setting %s", shown)
			}
			set = func(text string) error { return value.SetNested(below, text) }
		}
		if err := setFlag(flag.Value, set, layer.Get(key)); err != nil {
			return Usagef("%s: %w", shown, err)
		}
		flag.Changed = true
		annotate(flag, layerKey, describe(name))
	}
	return nil
}

// setFlag sets a flag to a layer's value, a string or a list. A list replaces the list of a lower layer.
func setFlag(flag pflag.Value, set func(string) error, value any) error {
	list, isList := flag.(pflag.SliceValue)
	switch value := value.(type) {
	case string:
		if isList {
			if err := list.Replace(nil); err != nil {
				return err
			}
		}
		return ValueError(flag, set(value))
	case []string:
		if isList {
			return list.Replace(value)
		}
	}
	return errors.New("want one value, not a list")
}

// ValueError says which values a flag accepts instead of how parsing one failed, if err is not nil.
func ValueError(flag pflag.Value, err error) error {
	accepted := map[string]string{
		"int": "a whole number", "uint64": "a whole number from 0", "float64": "a number",
		"duration": "a duration such as 30s", "bool": "true or false",
	}[flag.Type()]
	if err == nil || accepted == "" {
		return err
	}
	return errors.New("must be " + accepted)
}

// Annotations of a flag: the layer that set it (none for the command line), and that its value is secret.
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

// flagNames lists the flags of every command except --help.
func flagNames(root *cobra.Command) map[string]bool {
	out := map[string]bool{}
	add := func(f *pflag.Flag) { out[f.Name] = f.Name != "help" }
	var walk func(*cobra.Command)
	walk = func(c *cobra.Command) {
		c.PersistentFlags().VisitAll(add)
		c.Flags().VisitAll(add)
		for _, below := range c.Commands() {
			walk(below)
		}
	}
	walk(root)
	return out
}
