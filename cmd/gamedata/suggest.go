package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// didYouMean returns a question about the names that a word is close to, to add to an error; empty if there are none.
func didYouMean(word string, candidates []*cobra.Command) string {
	// cobra compares names of commands, so the candidates are the commands of one that no one runs.
	group := &cobra.Command{SuggestionsMinimumDistance: 2}
	group.AddCommand(candidates...)
	names := group.SuggestionsFor(word)
	if len(names) == 0 {
		return ""
	}
	slices.Sort(names)
	return fmt.Sprintf(": did you mean %s?", strings.Join(slices.Compact(names), " or "))
}

// suggestCommand is didYouMean for the name of a subcommand. Below the root it lists all if the word is close to none.
func suggestCommand(cmd *cobra.Command, word string) string {
	var names []*cobra.Command
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() {
			names = append(names, named(c.Name()))
		}
	}
	if question := didYouMean(word, names); question != "" || len(names) == 0 || !cmd.HasParent() {
		return question
	}
	all := make([]string, len(names))
	for i, c := range names {
		all[i] = c.Name()
	}
	return ": choose one of " + strings.Join(all, ", ")
}

// suggestFlag is didYouMean for the flag that an error of pflag does not know; empty for any other error.
func suggestFlag(cmd *cobra.Command, err error) string {
	var unknown *pflag.NotExistError
	if !errors.As(err, &unknown) || unknown.GetSpecifiedShortnames() != "" {
		return ""
	}
	var names []*cobra.Command
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			names = append(names, named("--"+f.Name))
		}
	})
	return didYouMean("--"+unknown.GetSpecifiedName(), names)
}

func named(name string) *cobra.Command {
	return &cobra.Command{Use: name, Run: func(*cobra.Command, []string) {}}
}
