package config

import (
	"net/url"
	"slices"
	"strings"

	"github.com/spf13/pflag"
)

func addAllowedHosts(names *[]string, flags *pflag.FlagSet) {
	flags.StringSliceVar(names, "allowed-hosts", nil,
		"host names to serve besides that of --public-url and the machine's own; every name when neither is set. "+
			"Health checks may use any name")
}

func checkHosts(names []string) error {
	if slices.ContainsFunc(names, func(name string) bool { return name == "" || strings.ContainsAny(name, "/*?# @") }) {
		return Usagef("--allowed-hosts must be names such as data.example")
	}
	return nil
}

// Hosts lists the host names to serve; nil allows every name.
func (c *Service) Hosts() []string {
	if u, err := url.Parse(c.PublicURL); err == nil && u.Host != "" {
		return append(slices.Clone(c.AllowedHosts), u.Host)
	}
	return c.AllowedHosts
}
