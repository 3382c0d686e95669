package main

import (
	"context"
	"time"

	"gamedata/internal/app"
	"gamedata/internal/config"
	"gamedata/internal/demo"
	"gamedata/internal/terminal"

	"github.com/spf13/cobra"
)

func seedCommand() *cobra.Command {
	var store config.Store
	var world config.World
	cmd := &cobra.Command{
		Use: "seed", Short: "Fill an empty store with the demo world",
		Long: `Fill an empty store with the demo world: invented players, characters, items, recipes and
ability trees, and what happened on 90 days, the same for the same --seed and --seed-time. A store
that contains players is left unchanged, except by an interrupted run: the next one completes its
world, with the settings of the interrupted one.`,
		Example: `  gamedata seed --players 100000 --data-dir big`,
		Args:    noArgs,
		RunE: withSettings(func(cmd *cobra.Command, _ []string) error {
			o, err := world.Options()
			if err != nil {
				return err
			}
			return onStore(cmd, &store, app.OpenStore,
				func(ctx context.Context, db *app.Store, progress *terminal.Progress) (outcome, error) {
					start := time.Now()
					if err := app.CreateDemo(ctx, db.Store, o, store.TempDir(), progress.Report); err != nil {
						return outcome{}, err
					}
					var mark demo.Mark // of the run that began, whose options a resumed run has
					if _, err := db.ReadMark(ctx, demo.MarkKey, &mark); err != nil {
						return outcome{}, err
					}
					took := time.Since(start).Round(time.Millisecond)
					return outcomef(object{"players": mark.Players, "seconds": seconds(took)}, "created %d players in %s",
						mark.Players, took)
				})
		}),
	}
	store.AddCommand(cmd.Flags())
	world.Add(cmd.Flags())
	world.AddDays(cmd.Flags())
	return withOutput(cmd)
}
