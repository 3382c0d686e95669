package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"gamedata/internal/jobs"
	"gamedata/mongo"
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
	flags.StringVar(&f.moment, "seed-time", "",
		"moment the demo world is made for, such as 2026-03-20T00:00:00Z; now when empty")
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
			if err := errors.Join(makeWorld(cmd.Context(), db.Store, o), db.close()); err != nil {
				return err
			}
			fmt.Fprintf(cmd.OutOrStdout(), "made %d players in %s (%s)\n", o.Players, time.Since(start).Round(time.Millisecond),
				db.name)
			return nil
		},
	}
	store.addVerb(cmd.Flags())
	world.add(cmd.Flags())
	return cmd
}

// makeWorld makes a demo world and ranks it; a world that was broken off in between is ranked.
func makeWorld(ctx context.Context, store *mongo.Store, o seed.Options) error {
	err := seed.Run(ctx, store, o)
	if errors.Is(err, seed.ErrInhabited) {
		if todo, _, rankErr := unranked(ctx, store); rankErr != nil || !todo {
			return errors.Join(err, rankErr)
		}
	} else if err != nil {
		return err
	}
	return rankWorld(ctx, store)
}

// unranked tells whether a store holds a finished demo world that has no positions yet.
func unranked(ctx context.Context, store *mongo.Store) (bool, seed.Mark, error) {
	var made seed.Mark
	finished, err := store.ReadMark(ctx, seed.MarkKey, &made)
	if err != nil || !finished {
		return false, made, err
	}
	state, err := jobs.ReadState(ctx, store)
	return state.RanksAt.IsZero(), made, err
}

// rankWorld computes the leaderboards of a demo world and gives it a day before. Only the
// last step says that it was done, so a run that is broken off is done again.
func rankWorld(ctx context.Context, store *mongo.Store) error {
	todo, made, err := unranked(ctx, store)
	if err != nil || !todo {
		return err
	}
	number, err := strconv.ParseUint(made.Seed, 10, 64)
	if err != nil {
		return err
	}
	now, o := time.Now(), jobs.Options{Holder: holder(), Full: true}
	if _, err := jobs.Refresh(ctx, store, now, o); err != nil {
		return err
	}
	if err := seed.PutPreviousRankings(ctx, store, number); err != nil {
		return err
	}
	return jobs.MarkRanksDone(ctx, store, now, o)
}
