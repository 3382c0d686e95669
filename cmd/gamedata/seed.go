package main

import (
	"errors"
	"fmt"
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
			o, err := world.Options(cmd.ErrOrStderr())
			if err != nil {
				return err
			}
			db, err := app.OpenStore(cmd.Context(), &store)
			if err != nil {
				return err
			}
			start := time.Now()
			if err := errors.Join(app.CreateDemo(cmd.Context(), db.Store, o), db.Close()); err != nil {
				return err
			}
			fmt.Fprintf(cmd.OutOrStdout(), "created %d players in %s (%s)\n", o.Players,
				time.Since(start).Round(time.Millisecond), db.Name)
			return nil
		}),
	}
	store.AddCommand(cmd.Flags())
	world.Add(cmd.Flags())
	return cmd
}
