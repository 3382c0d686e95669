package config

import (
	"slices"

	"github.com/spf13/pflag"
)

// FlagGroups are the headings of flags in --help, in their order. Flags without one come first.
var FlagGroups = []string{
	groupListening, groupStore, groupDemo, groupLimits, groupCache, groupCredentials, groupJobs, groupLogging,
}

const (
	groupListening   = "Listening"
	groupStore       = "Store"
	groupDemo        = "Demo world"
	groupLimits      = "Limits"
	groupCache       = "Cache and memory"
	groupCredentials = "Credentials"
	groupJobs        = "Jobs and retention"
	groupLogging     = "Logging"
)

// groupKey is the annotation of a flag that names its group.
const groupKey = "group"

// GroupOf returns the heading of a flag; empty if it has none.
func GroupOf(flag *pflag.Flag) string {
	if group := flag.Annotations[groupKey]; len(group) > 0 {
		return group[0]
	}
	return ""
}

// setGroup puts flags under a heading.
func setGroup(flags *pflag.FlagSet, group string, names ...string) {
	flags.VisitAll(func(flag *pflag.Flag) {
		if slices.Contains(names, flag.Name) {
			annotate(flag, groupKey, group)
		}
	})
}

// inGroup puts the flags that add registers under a heading, except those that add put under another one.
func inGroup(flags *pflag.FlagSet, group string, add func(*pflag.FlagSet)) {
	own := pflag.NewFlagSet("", pflag.ContinueOnError)
	add(own)
	own.VisitAll(func(flag *pflag.Flag) {
		if GroupOf(flag) == "" {
			annotate(flag, groupKey, group)
		}
	})
	flags.AddFlagSet(own)
}
