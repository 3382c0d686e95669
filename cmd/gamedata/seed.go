package main

import (
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"gamedata/mongo/seed"
)

// worldFlags say which demo world to make.
type worldFlags struct {
	players int
	seed    uint64
	moment  string
}

func (f *worldFlags) add(flags *pflag.FlagSet) {
	flags.IntVar(&f.players, "players", 2000, "players of the demo world, 10 to 1000000")
	flags.Uint64Var(&f.seed, "seed", 1, "number that decides the demo world: the same number, the same world")
	flags.StringVar(&f.moment, "seed-time", "", "moment the demo world is made for, such as 2026-03-20T00:00:00Z; now when empty")
}

func (f *worldFlags) options(progress io.Writer) (seed.Options, error) {
	o := seed.Options{Players: f.players, Seed: f.seed, Now: time.Now()}
	if f.players < seed.MinPlayers || f.players > seed.MaxPlayers {
		return o, usageError{fmt.Errorf("--players must be %d to %d", seed.MinPlayers, seed.MaxPlayers)}
	}
	if f.moment != "" {
		t, err := time.Parse(time.RFC3339, f.moment)
		if err != nil {
			return o, usageError{errors.New("--seed-time must be a moment such as 2026-03-20T00:00:00Z")}
		}
		o.Now = t
	}
	told := time.Now()
	o.Progress = func(done, total int) {
		if now := time.Now(); now.Sub(told) > time.Second {
			told = now
			fmt.Fprintf(progress, "  %d of %d players\n", done, total)
		}
	}
	return o, nil
}

func seedCommand() *cobra.Command {
	var store storeFlags
	var world worldFlags
	cmd := &cobra.Command{
		Use:   "seed",
		Short: "Fill an empty store with the demo world",
		Long: `Fill an empty store with the demo world: invented players, characters, items, recipes and
ability trees, the same for the same --seed. A store that holds players is left alone.`,
		Example: `  gamedata seed --players 100000 --data-dir big`,
		Args:    noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := settle(cmd); err != nil {
				return err
			}
			o, err := world.options(cmd.ErrOrStderr())
			if err != nil {
				return err
			}
			db, err := store.open(cmd.Context())
			if err != nil {
				return err
			}
			start := time.Now()
			if err := errors.Join(seed.Run(cmd.Context(), db.Store, o), db.close()); err != nil {
				return err
			}
			fmt.Fprintf(cmd.OutOrStdout(), "made %d players in %s (%s)\n", o.Players, time.Since(start).Round(time.Millisecond), db.name)
			return nil
		},
	}
	store.add(cmd.Flags())
	world.add(cmd.Flags())
	return cmd
}
