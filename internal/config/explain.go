package config

import (
	"net/url"
	"strings"

	"github.com/spf13/pflag"
)

// Setting is one setting of the service.
type Setting struct {
	Name string `json:"name"`
	// Value is the current value, without secrets and passwords in URLs.
	Value string `json:"value"`
	// Source says where the value comes from: "command line", "default", or the name of a variable or file.
	Source string `json:"source"`
	// Environment is the name of its environment variable.
	Environment string `json:"environment"`
}

// Explain lists the settings behind flags, by name.
func Explain(flags *pflag.FlagSet) []Setting {
	var out []Setting
	flags.VisitAll(func(flag *pflag.Flag) {
		if flag.Name != "help" && flag.Name != "config" && flag.Name != "output" {
			out = append(out, Setting{flag.Name, publicValue(flag), source(flag), envName(flag.Name)})
		}
	})
	return out
}

// envName returns the environment variable of a setting.
func envName(flag string) string {
	return envPrefix + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
}

// source returns where a flag was set.
func source(flag *pflag.Flag) string {
	switch layer := flag.Annotations[layerKey]; {
	case len(layer) > 0:
		return layer[0]
	case flag.Changed:
		return "command line"
	}
	return "default"
}

// publicValue returns the value of a flag without secrets.
func publicValue(flag *pflag.Flag) string {
	value := flag.Value.String()
	switch {
	case value == "" || value == "[]":
		return ""
	case len(flag.Annotations[secretKey]) > 0:
		return "(secret)"
	}
	if u, err := url.Parse(value); err == nil && u.User != nil {
		return u.Redacted()
	} else if err != nil && strings.Contains(value, "@") { // net/url cannot parse it: several MongoDB hosts, say
		scheme, tail, _ := strings.Cut(value, "://")
		return scheme + "://xxxxx@" + tail[strings.LastIndex(tail, "@")+1:]
	}
	return value
}
