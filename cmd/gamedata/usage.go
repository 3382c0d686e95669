package main

import (
	"cmp"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"gamedata/internal/config"
)

func init() { cobra.AddTemplateFunc("groupedFlags", groupedFlags) }

// groupedUsage changes cobra's usage template to list the flags of a command in groups.
func groupedUsage(template string) string {
	return strings.Replace(template, "Flags:\n{{.LocalFlags.FlagUsages | trimTrailingWhitespaces}}",
		"{{groupedFlags .LocalFlags | trimTrailingWhitespaces}}", 1)
}

// groupedFlags lists flags: first those without a group, then each group under its heading.
func groupedFlags(flags *pflag.FlagSet) string {
	var out strings.Builder
	for _, heading := range append([]string{"Flags"}, config.FlagGroups...) {
		of := pflag.NewFlagSet("", pflag.ContinueOnError)
		flags.VisitAll(func(flag *pflag.Flag) {
			if cmp.Or(config.GroupOf(flag), "Flags") == heading {
				of.AddFlag(flag)
			}
		})
		if of.HasAvailableFlags() {
			out.WriteString(heading + ":\n" + of.FlagUsages() + "\n")
		}
	}
	return out.String()
}
