package main

import (
	"strings"

	"github.com/spf13/cobra"

	"gamedata/internal/app"
	"gamedata/internal/config"
)

func cacheCommand() *cobra.Command {
	return group("cache", "The caches of a running service",
		`The caches of a running service: responses, and the records they are made of.`, purgeCommand())
}

func purgeCommand() *cobra.Command {
	var tags []string
	var admin string
	cmd := &cobra.Command{
		Use: "purge", Short: "Purge cached responses and records of a running service",
		Long: `Purge cached responses and records of a running service: everything, or what has one of the
tags. A tag is player:<uuid>, guild:<uuid>, content:<family> (such as content:items) or
field:<root field> (such as field:leaderboard); * in place of the name means all of the kind.
The request goes to the --admin-listen of one service; all others on its store follow within a
few seconds. What is purged is not served any more, not even when the store fails.`,
		Example: `  gamedata cache purge
  gamedata cache purge --tag player:4f2ab6f1-4bf5-4c9d-9f41-6c77c0de0001 --tag content:news`,
		Args: noArgs,
		RunE: withSettings(func(cmd *cobra.Command, _ []string) error {
			if cmd.Flags().Changed("tag") && len(tags) == 0 {
				return config.Usagef("--tag: want a tag such as player:<uuid>")
			}
			purged, err := app.Purge(cmd.Context(), admin, tags)
			if err != nil {
				return err
			}
			return printLine(cmd, object{"purged": purged}, "purged %s", strings.Join(purged, " "))
		}),
	}
	cmd.Flags().StringSliceVar(&tags, "tag", nil, "what to purge; everything when not given")
	cmd.Flags().StringVar(&admin, "admin", "http://127.0.0.1:9090", "URL of the service's --admin-listen")
	return withOutput(cmd)
}
