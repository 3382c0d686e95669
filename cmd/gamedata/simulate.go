package main

import (
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"gamedata/internal/simulator"
	"gamedata/mongo/seed"
)

// playFlags say how the game is played.
type playFlags struct {
	speed    float64
	seed     uint64
	duration time.Duration
	start    string
	active   int
}

func (f *playFlags) add(flags *pflag.FlagSet) {
	flags.Float64Var(&f.speed, "speed", 60,
		"how fast the clock of the game runs, 0.1 to 10000; 0 as fast as the store can")
	flags.Uint64Var(&f.seed, "seed", 1, "number that decides what happens")
	flags.DurationVar(&f.duration, "duration", 0,
		"time on the clock of the game after which to end; 0 goes on until told to stop")
	flags.StringVar(&f.start, "start", "", "moment the clock of the game begins at, such as 2026-03-20T00:00:00Z; now when empty")
	flags.IntVar(&f.active, "active", simulator.MostPlayers, "players that take part at most, 1 to 100000")
}

func (f *playFlags) options(out io.Writer) (simulator.Options, error) {
	o := simulator.Options{Seed: f.seed, Speed: f.speed, Duration: f.duration, Players: f.active, Rest: castUUIDs()}
	switch {
	case f.speed != 0 && !(f.speed >= 0.1 && f.speed <= 10_000):
		return o, usageError{errors.New("--speed must be 0, or 0.1 to 10000")}
	case f.duration < 0:
		return o, usageError{errors.New("--duration must not be negative")}
	case f.active < 1 || f.active > 100_000:
		return o, usageError{errors.New("--active must be 1 to 100000")}
	}
	if f.start != "" {
		t, err := time.Parse(time.RFC3339, f.start)
		if err != nil {
			return o, usageError{errors.New("--start must be a moment such as 2026-03-20T00:00:00Z")}
		}
		o.Start = t
	}
	o.Hourly = func(h simulator.Hour) {
		fmt.Fprintf(out, "%s to %s: %d of %d online, %d records written: %s\n",
			h.From.Format("2006-01-02 15:04"), h.To.Format("15:04"), h.Online, h.Players, h.Written, h.Tally)
	}
	return o, nil
}

func simulateCommand() *cobra.Command {
	var store storeFlags
	var play playFlags
	cmd := &cobra.Command{
		Use:   "simulate",
		Short: "Play the game, so that the store lives",
		Long: `Play the game: players come and go by the time of day, change worlds, gain levels, complete
quests, dungeons and raids, join and leave guilds, and guilds fight for territories. It
writes as a game server does. The same store, --seed, --speed and --start give the same
writes. The cast of a demo world rests. What happened is told for each hour of the game.

Above speed 1 the clock of the game runs ahead of the present. An embedded store that a
running service has open is reached through it. Only one plays a world at a time: start a
demo world with "gamedata serve --demo --demo-still", which else is played inside.`,
		Example: `  gamedata simulate --mongo-uri mongodb://localhost:27017 --speed 60
  gamedata simulate --data-dir data --speed 0 --duration 24h      a day, as fast as it goes`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := settle(cmd); err != nil {
				return err
			}
			o, err := play.options(cmd.OutOrStdout())
			if err != nil {
				return err
			}
			db, err := store.join(cmd.Context())
			if err != nil {
				return err
			}
			return errors.Join(playAlone(cmd.Context(), db.Store, o), db.close())
		},
	}
	store.addVerb(cmd.Flags())
	play.add(cmd.Flags())
	return cmd
}

// castUUIDs are the players who stand still, since each shows a case.
func castUUIDs() []string {
	out := make([]string, len(seed.Cast))
	for i, m := range seed.Cast {
		out[i] = m.UUID
	}
	return out
}
