package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
	"github.com/spf13/pflag"

	"gamedata/internal/config"
	"gamedata/internal/httpapi"
)

func manCommand() *cobra.Command {
	return withOutput(&cobra.Command{
		Use: "man DIRECTORY", Short: "Write manual pages for all commands",
		Example: "  gamedata man /usr/local/share/man/man1",
		Args:    wantPath("DIRECTORY"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := os.MkdirAll(args[0], 0o755); err != nil {
				return fmt.Errorf("manual pages: %w", err)
			}
			// A fixed date makes builds reproducible.
			date := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
			header := &doc.GenManHeader{
				Section: "1", Source: "gamedata, contract " + httpapi.Version, Manual: "gamedata",
				Date: &date,
			}
			if err := doc.GenManTree(cmd.Root(), header, args[0]); err != nil {
				return fmt.Errorf("manual pages: %w", err)
			}
			if err := groupManOptions(cmd.Root(), args[0]); err != nil {
				return fmt.Errorf("manual pages: %w", err)
			}
			pages, err := filepath.Glob(filepath.Join(args[0], "gamedata*.1"))
			if err != nil {
				return err
			}
			return printLine(cmd, object{"directory": args[0], "pages": len(pages)}, "wrote %d pages to %s", len(pages),
				args[0])
		},
	})
}

// groupManOptions lists the flags on the manual pages of a command and its subcommands in the groups of --help.
func groupManOptions(cmd *cobra.Command, directory string) error {
	for _, sub := range cmd.Commands() {
		if err := groupManOptions(sub, directory); err != nil {
			return err
		}
	}
	path := filepath.Join(directory, strings.ReplaceAll(cmd.CommandPath(), " ", "-")+".1")
	page, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) { // such as help, which has no page
		return nil
	}
	if err != nil {
		return err
	}
	return os.WriteFile(path, []byte(groupedOptions(string(page), cmd.Flags())), 0o644) //nolint:gosec // for everyone
}

// manOption is the name of the flag in a paragraph of the section OPTIONS.
var manOption = regexp.MustCompile(`^\\fB(?:-\w\\fP, \\fB)?--([\w-]+)\\fP`)

// groupedOptions returns a manual page whose section OPTIONS has a part for each group of flags.
func groupedOptions(page string, flags *pflag.FlagSet) string {
	before, rest, found := strings.Cut(page, ".SH OPTIONS\n")
	options, after, more := strings.Cut(rest, "\n\n.SH ")
	if !found || !more {
		return page
	}
	groups := map[string][]string{}
	for option := range strings.SplitSeq(strings.TrimSpace(options), "\n\n.PP\n") {
		group := ""
		if name := manOption.FindStringSubmatch(option); name != nil {
			if flag := flags.Lookup(name[1]); flag != nil {
				group = config.GroupOf(flag)
			}
		}
		groups[group] = append(groups[group], option)
	}
	var out strings.Builder
	out.WriteString(before + ".SH OPTIONS\n" + strings.Join(groups[""], "\n\n.PP\n"))
	for _, group := range config.FlagGroups {
		if list := groups[group]; len(list) > 0 {
			out.WriteString("\n\n.SS " + group + "\n" + strings.Join(list, "\n\n.PP\n"))
		}
	}
	return out.String() + "\n\n\n.SH " + after
}
