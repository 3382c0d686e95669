package config

import (
	"errors"
	"fmt"
	"os"
	"slices"
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

// givenValue wraps the value of a flag. It ignores an empty text: compose and scripts pass one for an unset variable.
// It drops the line end of other texts.
type givenValue struct {
	pflag.Value
	given bool
}

// Set implements pflag.Value.
func (v *givenValue) Set(text string) error {
	if strings.TrimSpace(text) == "" {
		return nil
	}
	v.given = true
	return v.Value.Set(withoutLineEnd(text))
}

// Prepare lets every flag of a program ignore an empty value. Load requires a call before flags are parsed.
func Prepare(root *cobra.Command) {
	visitFlags(root, func(f *pflag.Flag) {
		if _, done := f.Value.(*givenValue); done {
			return
		}
		f.Value = &givenValue{Value: f.Value}
		if f.DefValue == "[]" || f.DefValue == "0s" { // pflag recognises zero defaults by the type, which is wrapped
			f.DefValue = ""
		}
	})
}

// Load sets the flags of cmd that the command line leaves unset from the environment, then from the file named by
// --config. A key that is not a flag of any command is an error.
func Load(cmd *cobra.Command) error {
	known := flagNames(cmd.Root())
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if v, ok := f.Value.(*givenValue); ok {
			f.Changed = v.given
		}
	})
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

// configPath returns the path of the settings file: --config, or else GAMEDATA_CONFIG.
func configPath(cmd *cobra.Command) (string, error) {
	path, err := cmd.Flags().GetString("config")
	if path == "" {
		path = strings.TrimSpace(os.Getenv(envPrefix + "CONFIG"))
	}
	return path, err
}

// nestedFlag is a flag whose value a settings file may spread over nested keys.
type nestedFlag interface {
	SetNested(name, value string) error
}

// applyLayer sets flags from the values of a layer, except flags set on the command line. describe returns a key's name
// for messages.
func applyLayer(cmd *cobra.Command, layer *koanf.Koanf, known map[string]bool, describe func(string) string) error {
	for _, key := range layer.Keys() {
		name, below, nested := strings.Cut(key, separator)
		below = strings.ReplaceAll(below, separator, ".")
		shown := describe(strings.ReplaceAll(key, separator, "."))
		flag := cmd.Flags().Lookup(name)
		switch {
		case !known[name]:
			return Usagef("unknown setting %s", shown)
		case flag == nil, flag.Changed && flag.Annotations[layerKey] == nil,
			slices.Contains([]string{"", "[]", "map[]"}, strings.TrimSpace(fmt.Sprint(layer.Get(key)))): // empty
			continue
		}
		value, set := flag.Value, flag.Value.Set
		if v, ok := value.(*givenValue); ok {
			value = v.Value
		}
		if nested {
			value, ok := value.(nestedFlag)
			if !ok {
				return Usagef("unknown setting %s", shown)
			}
			set = func(text string) error { return value.SetNested(below, text) }
		}
		if err := setFlag(value, set, layer.Get(key)); err != nil {
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

// ValueError replaces a parse error by one that says which values the flag accepts; nil stays nil.
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

// Annotations of a flag: the layer that set it (none for the command line), and a mark for secret values.
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
	visitFlags(root, func(f *pflag.Flag) { out[f.Name] = f.Name != "help" })
	return out
}

// visitFlags calls visit for the flags of a command and of the commands below it. A flag shared by commands is visited
// more than once.
func visitFlags(c *cobra.Command, visit func(*pflag.Flag)) {
	c.PersistentFlags().VisitAll(visit)
	c.Flags().VisitAll(visit)
	for _, below := range c.Commands() {
		visitFlags(below, visit)
	}
}
