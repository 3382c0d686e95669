package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"
	"go.mongodb.org/mongo-driver/v2/bson"

	"gamedata/internal/app"
	"gamedata/internal/config"
	"gamedata/mongo/cluster"
)

// shardOptions are the flags of migrate --shard.
type shardOptions struct {
	shard, apply bool
}

func (o *shardOptions) addFlags(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&o.shard, "shard", false,
		"print the commands that distribute the collections over the shards of a cluster")
	cmd.Flags().BoolVar(&o.apply, "apply", false, "with --shard: run the commands")
}

// check rejects combinations that make no sense.
func (o *shardOptions) check(cmd *cobra.Command, store *config.Store) error {
	flag := cmd.Flags().Changed
	switch {
	case !o.shard && flag("apply"):
		return config.Usagef("--apply needs --shard")
	case o.shard && (flag("dry-run") || flag("replace") || flag("lookups")):
		return config.Usagef("--dry-run, --replace and --lookups cannot be used with --shard, " +
			"which changes nothing without --apply")
	case o.shard && store.MongoURI == "":
		return config.Usagef("--shard needs --mongo-uri: the embedded store has no shards")
	}
	return nil
}

// migrateShards prints what distributes the collections over the shards, and runs it with --apply.
func migrateShards(cmd *cobra.Command, store *config.Store, o *shardOptions) (err error) {
	db, err := app.InspectStore(cmd.Context(), store)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	plan, err := cluster.NewPlan(cmd.Context(), db.Store)
	if err != nil {
		return err
	}
	steps, applied := []object{}, 0
	for _, s := range plan.Steps {
		command, err := bson.MarshalExtJSON(s.Command, false, false)
		if err != nil {
			return err
		}
		steps = append(steps, object{"database": s.Database, "command": json.RawMessage(command), "shell": s.String()})
	}
	if o.apply {
		err = plan.Apply(cmd.Context(), db.Store, func(s cluster.Step) {
			if applied++; !wantsJSON(cmd) {
				fmt.Fprintln(cmd.OutOrStdout(), s)
			}
		})
		if err != nil {
			return err
		}
	}
	result := object{
		"shards": plan.Shards, "commands": steps, "applied": applied, "problems": append([]string{}, plan.Problems...),
		"store": db.Name,
	}
	err = printResult(cmd, result, func(out io.Writer) error { return describeShards(out, plan, o.apply, db.Name) })
	if err == nil && len(plan.Problems) > 0 {
		err = errors.New("collections are sharded by other keys")
	}
	return err
}

func describeShards(out io.Writer, plan *cluster.Plan, applied bool, store string) error {
	if !applied {
		for _, s := range plan.Steps {
			fmt.Fprintln(out, s)
		}
	}
	for _, p := range plan.Problems {
		fmt.Fprintln(out, p)
	}
	n := len(plan.Steps)
	var err error
	switch {
	case n == 0 && len(plan.Problems) == 0:
		_, err = fmt.Fprintf(out, "all collections are sharded as they should be (%s)\n", store)
	case applied:
		_, err = fmt.Fprintf(out, "commands run: %d (%s)\n", n, store)
	case n > 0:
		_, err = fmt.Fprintf(out, "nothing was changed: run %d %s with --apply (%s)\n", n, plural(n, "command"), store)
	}
	return err
}
