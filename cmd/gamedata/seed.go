package main

import (
	"errors"
	"time"

	"gamedata/internal/app"
	"gamedata/internal/config"

	"github.com/spf13/cobra"
)

func seedCommand() *cobra.Command {
	var store config.Store
	var world config.World
	cmd := &cobra.Command{
		Use: "seed", Short: "Fill an empty store with the demo world",
		Long: `Fill an empty store with the demo world: invented players, characters, items, recipes and
ability trees, the same for the same --seed. A store that contains players is left unchanged.`,
		Example: `  gamedata seed --players 100000 --data-dir big`,
		Args:    noArgs,
		RunE: withSettings(func(cmd *cobra.Command, _ []string) error {
			o, err := world.Options()
			if err != nil {
				return err
			}
			db, err := app.OpenStore(cmd.Context(), &store)
			if err != nil {
				return err
			}
			start := time.Now()
			progress := progressOf(cmd)
			err = app.CreateDemo(cmd.Context(), db.Store, o, progress.Report)
			progress.Clear()
			if err = errors.Join(err, db.Close()); err != nil {
				return err
			}
			took := time.Since(start).Round(time.Millisecond)
			return printLine(cmd, object{"players": o.Players, "seconds": seconds(took), "store": db.Name},
				"created %d players in %s (%s)", o.Players, took, db.Name)
		}),
	}
	store.AddCommand(cmd.Flags())
	world.Add(cmd.Flags())
	return withOutput(cmd)
}
