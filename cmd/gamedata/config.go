package main

import (
	"cmp"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"gamedata/internal/config"
)

func configCommand() *cobra.Command {
	return group("config", "The settings of the service",
		`The settings of the service: what they are and where each value comes from.`, explainCommand())
}

func explainCommand() *cobra.Command {
	var c config.Service
	cmd := &cobra.Command{
		Use: "explain [FLAGS OF SERVE]", DisableFlagsInUseLine: true,
		Short: "Show every setting of serve and where its value comes from",
		Long: `Show every setting that serve would use if it were started here and now with these flags:
its value, and where the value comes from: command line, environment, settings file or default.
Secrets are not shown. With --output json also the name of its environment variable.`,
		Example: `  gamedata config explain
  GAMEDATA_GUEST_RATE=60 gamedata config explain --config settings.yaml --listen :9000`,
		Args: noArgs,
		RunE: withSettings(func(cmd *cobra.Command, _ []string) error {
			if err := printSettings(cmd, config.Explain(cmd.LocalNonPersistentFlags())); err != nil {
				return err
			}
			return c.Check()
		}),
	}
	c.Add(cmd.Flags())
	return withOutput(cmd)
}

func printSettings(cmd *cobra.Command, settings []config.Setting) error {
	return printResult(cmd, object{"settings": settings}, func(out io.Writer) error {
		return table(out, func(w io.Writer) {
			fmt.Fprintln(w, "SETTING\tVALUE\tFROM")
			for _, s := range settings {
				fmt.Fprintf(w, "%s\t%s\t%s\n", s.Name, cmp.Or(s.Value, "-"), s.Source)
			}
		})
	})
}
