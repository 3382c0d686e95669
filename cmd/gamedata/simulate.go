package main

import (
	"encoding/json"
	"errors"
	"fmt"

	"gamedata/internal/app"
	"gamedata/internal/config"
	"gamedata/internal/demo/simulator"

	"github.com/spf13/cobra"
)

func simulateCommand() *cobra.Command {
	var store config.Store
	var play config.Simulation
	cmd := &cobra.Command{
		Use: "simulate", Short: "Simulate players, so that the data changes",
		Long: `Simulate the game: players come and go by the time of day, change worlds, gain levels, complete
quests, dungeons and raids, join and leave guilds, and guilds fight for territories. The
simulation writes as a game server does. The same store, --seed, --speed and --start give the
same writes. The named players of a demo world play too, but keep their guilds and ranks. A summary
is printed for each hour of game time.

While the store is away, the simulation waits and then goes on.

Above speed 1 the game clock is faster than real time. An embedded store that a running service
has open is reached through that service. Only one simulation can run on a store: start the
service with "gamedata serve --demo --demo-speed 0", since --demo alone simulates by itself.`,
		Example: `  gamedata simulate --mongo-uri mongodb://localhost:27017 --speed 60
  gamedata simulate --data-dir data --speed 0 --duration 24h      a day, as fast as it goes`,
		Args: noArgs,
		RunE: withSettings(func(cmd *cobra.Command, _ []string) error {
			var failed error
			o, err := play.Options(func(h simulator.Hour) {
				failed = errors.Join(failed, printHour(cmd, h))
			})
			if err != nil {
				return err
			}
			db, err := app.JoinStore(cmd.Context(), &store)
			if err != nil {
				return err
			}
			simulated := app.SimulateUntilDone(cmd.Context(), db.Store, o, func(err error) {
				if err != nil {
					fmt.Fprintf(cmd.ErrOrStderr(), "waiting for the store: %v\n", err)
				} else {
					fmt.Fprintln(cmd.ErrOrStderr(), "the store is back")
				}
			})
			return errors.Join(simulated, failed, db.Close())
		}),
	}
	store.AddCommand(cmd.Flags())
	play.Add(cmd.Flags())
	return withOutput(cmd)
}

// printHour prints the summary of an hour on one line, as text or JSON.
func printHour(cmd *cobra.Command, h simulator.Hour) error {
	if wantsJSON(cmd) {
		return json.NewEncoder(cmd.OutOrStdout()).Encode(h)
	}
	_, err := fmt.Fprintf(cmd.OutOrStdout(), "%s to %s: %d of %d online, %d events: %s\n",
		h.From.Format("2006-01-02 15:04"), h.To.Format("15:04"), h.Online, h.Players, h.Written, h.Tally)
	return err
}
