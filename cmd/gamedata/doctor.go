package main

import (
	"github.com/spf13/cobra"

	"gamedata/internal/config"
	"gamedata/internal/doctor"
)

func doctorCommand() *cobra.Command {
	var c config.Service
	cmd := &cobra.Command{
		Use: "doctor [FLAGS OF SERVE]", DisableFlagsInUseLine: true,
		Short: "Check configuration and environment, and suggest fixes",
		Long: `Check everything that serve with these flags relies on: settings, secrets, addresses, the
store, its indexes and its clock, Redis, disk space and process limits. It may run beside a
working service. The exit status is 1 when a check fails; warnings alone give 0.`,
		Example: `  gamedata doctor --config settings.yaml
  gamedata doctor --mongo-uri mongodb://localhost:27017`,
		Args: noArgs,
		RunE: withSettings(func(cmd *cobra.Command, _ []string) error {
			return doctor.Report(cmd.OutOrStdout(), doctor.Examine(cmd.Context(), &c))
		}),
	}
	c.Add(cmd.Flags())
	return cmd
}
