package main

import (
	"errors"
	"net/url"
	"slices"
	"strings"

	"github.com/spf13/pflag"
)

// hostFlags say under which names the service answers.
type hostFlags struct{ allowed []string }

func (f *hostFlags) add(flags *pflag.FlagSet) {
	flags.StringSliceVar(&f.allowed, "allowed-hosts", nil,
		"names the service answers under, besides that of --public-url and those of the own machine; every name when neither is given. Health checks may use any")
}

func (f *hostFlags) check() error {
	if slices.ContainsFunc(f.allowed, func(name string) bool {
		return name == "" || strings.ContainsAny(name,
			"/*?# @")
	}) {
		return usageError{errors.New("--allowed-hosts must be names such as data.example")}
	}
	return nil
}

// names are the hosts that are answered, nil for all.
func (f *hostFlags) names(publicURL string) []string {
	if u, err := url.Parse(publicURL); err == nil && u.Host != "" {
		return append(slices.Clone(f.allowed), u.Host)
	}
	return f.allowed
}
