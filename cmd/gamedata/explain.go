package main

import (
	"errors"
	"fmt"
	"io"
	"net/url"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

func configCommand() *cobra.Command {
	return group("config", "The settings of the service",
		`The settings of the service: what they are, and where each comes from.`, explainCommand(), settingsCommand())
}

func explainCommand() *cobra.Command {
	var f serveFlags
	cmd := &cobra.Command{
		Use: "explain [FLAGS OF SERVE]", DisableFlagsInUseLine: true,
		Short: "Tell every setting that serve would have, and where it comes from",
		Long: `Tell every setting that serve would have when it were started here and now with these flags:
its value, what gave it (command line, environment, settings file or default), and the name of its
environment variable. Secrets are not shown.`,
		Example: `  gamedata config explain
  GAMEDATA_PAGE_SIZE=50 gamedata config explain --config settings.yaml --listen :9000`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := settle(cmd); err != nil {
				return err
			}
			if err := table(cmd.OutOrStdout(), func(w io.Writer) {
				fmt.Fprintln(w, "SETTING\tVALUE\tFROM\tENVIRONMENT")
				settings(cmd.LocalNonPersistentFlags(), func(flag *pflag.Flag) {
					fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", flag.Name, publicValue(flag), givenBy(flag), envName(flag.Name))
				})
			}); err != nil {
				return err
			}
			return errors.Join(f.check(), f.readable())
		},
	}
	f.add(cmd.Flags())
	return cmd
}

// settingsCommand writes the table of docs/configuration.md.
func settingsCommand() *cobra.Command {
	return &cobra.Command{
		Use:    "markdown",
		Short:  "Write the table of all settings of serve as Markdown",
		Hidden: true,
		Args:   noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, err := io.WriteString(cmd.OutOrStdout(), settingsTable())
			return err
		},
	}
}

// settingsTable is the settings of serve as a table in Markdown.
func settingsTable() string {
	var f serveFlags
	flags := pflag.NewFlagSet("serve", pflag.ContinueOnError)
	f.add(flags)
	var b strings.Builder
	b.WriteString("| flag | environment | default | what it does |\n|---|---|---|---|\n")
	escape := strings.NewReplacer("|", "\\|", "<", "&lt;", ">", "&gt;")
	settings(flags, func(flag *pflag.Flag) {
		standard := ""
		if flag.DefValue != "" && flag.DefValue != "[]" {
			standard = "`" + flag.DefValue + "`"
		}
		fmt.Fprintf(&b, "| `--%s` | `%s` | %s | %s |\n", flag.Name, envName(flag.Name), standard, escape.Replace(flag.Usage))
	})
	return b.String()
}

// settings goes through flags by name, but for the one that every verb has.
func settings(flags *pflag.FlagSet, each func(*pflag.Flag)) {
	flags.VisitAll(func(flag *pflag.Flag) {
		if flag.Name != "help" && flag.Name != "config" {
			each(flag)
		}
	})
}

// envName is the environment variable of a setting.
func envName(flag string) string {
	return envPrefix + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
}

// givenBy is what gave a setting its value.
func givenBy(flag *pflag.Flag) string {
	switch layer := flag.Annotations[layerKey]; {
	case len(layer) > 0:
		return layer[0]
	case flag.Changed:
		return "command line"
	}
	return "default"
}

// publicValue is the value of a setting as anybody may see it.
func publicValue(flag *pflag.Flag) string {
	value := flag.Value.String()
	switch {
	case value == "" || value == "[]":
		return "-"
	case len(flag.Annotations[secretKey]) > 0:
		return "(secret)"
	}
	if u, err := url.Parse(value); err == nil && u.User != nil {
		return u.Redacted()
	} else if err != nil && strings.Contains(value, "@") { // several hosts of MongoDB, say: no address that can be read
		scheme, tail, _ := strings.Cut(value, "://")
		return scheme + "://xxxxx@" + tail[strings.LastIndex(tail, "@")+1:]
	}
	return value
}
