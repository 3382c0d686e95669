// Package cluster distributes the collections of a store over the shards of a cluster.
package cluster

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"go.mongodb.org/mongo-driver/v2/bson"
	driver "go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"

	"gamedata/mongo"
	"gamedata/mongo/conn"
)

// ErrNotSharded means that the store is no sharded cluster.
var ErrNotSharded = errors.New("the store is not a sharded cluster: name a mongos with --mongo-uri")

// Step is a command that distributes a collection over the shards.
type Step struct {
	// Database is the one that the command is sent to.
	Database string
	Command  bson.D
}

// String returns the step as mongosh takes it.
func (s Step) String() string {
	text, err := bson.MarshalExtJSON(s.Command, false, false)
	if err != nil {
		return err.Error()
	}
	ends := strings.NewReplacer(`{"$minKey":1}`, "MinKey()", `{"$maxKey":1}`, "MaxKey()")
	command := ends.Replace(string(text))
	if s.Database == adminDatabase {
		return "db.adminCommand(" + command + ")"
	}
	return fmt.Sprintf("db.getSiblingDB(%q).runCommand(%s)", s.Database, command)
}

func (s Step) equal(other Step) bool { return s.String() == other.String() }

// Plan is what a cluster lacks of the distribution that the shard keys of Collections describe.
type Plan struct {
	// Shards are the names of the shards.
	Shards []string
	// Steps are the commands, in order.
	Steps []Step
	// Problems are the collections that have another shard key. They are left alone: to change a key copies the
	// collection.
	Problems []string
}

// NewPlan compares a cluster with the shard keys of the collections. Empty collections are to be split into one range
// for each shard. ErrNotSharded when the store is no cluster.
func NewPlan(ctx context.Context, store *mongo.Store) (*Plan, error) {
	c, err := connect(store)
	if err != nil {
		return nil, err
	}
	defer c.close(ctx)
	return c.plan(ctx)
}

// Apply runs the steps of the plan, one after the other, and passes each to done. A step that fails because another
// process has already run it is not an error. After an error, a new plan has the remaining steps.
func (p *Plan) Apply(ctx context.Context, store *mongo.Store, done func(Step)) error {
	c, err := connect(store)
	if err != nil {
		return err
	}
	defer c.close(ctx)
	for _, step := range p.Steps {
		if err := c.db.Client().Database(step.Database).RunCommand(ctx, step.Command).Err(); err != nil {
			left, planErr := c.plan(ctx)
			if planErr != nil || slices.ContainsFunc(left.Steps, step.equal) {
				return fmt.Errorf("%s: %w", step, conn.Translate(err))
			}
		}
		done(step)
	}
	return nil
}

func (c cluster) plan(ctx context.Context) (*Plan, error) {
	shards, err := c.shards(ctx)
	if err != nil {
		return nil, err
	}
	plan := &Plan{Shards: shards}
	if err := c.planDatabase(ctx, plan); err != nil {
		return nil, err
	}
	sharded, err := c.sharded(ctx)
	if err != nil {
		return nil, err
	}
	for _, collection := range mongo.Collections {
		if collection.ShardKey.Fields == nil {
			continue
		}
		if err := c.planCollection(ctx, plan, collection, sharded[c.name(collection)]); err != nil {
			return nil, conn.Translate(err)
		}
	}
	return plan, nil
}

// planDatabase enables sharding of the database, which MongoDB 6.0 and later do by themselves.
func (c cluster) planDatabase(ctx context.Context, plan *Plan) error {
	known, err := c.config("databases").CountDocuments(ctx, bson.D{{Key: "_id", Value: c.db.Name()}})
	if err == nil && known == 0 {
		plan.add(adminDatabase, bson.D{{Key: "enableSharding", Value: c.db.Name()}})
	}
	return conn.Translate(err)
}

func (p *Plan) add(database string, command bson.D) {
	p.Steps = append(p.Steps, Step{database, command})
}

// planCollection shards a collection, and splits and spreads it while it has no records. Later the balancer does both,
// by the size of the ranges.
func (c cluster) planCollection(ctx context.Context, plan *Plan, collection mongo.Collection, now *shardedCollection,
) error {
	name, key := c.name(collection), collection.ShardKey
	switch {
	case now == nil:
		if err := c.planIndex(ctx, plan, collection); err != nil {
			return err
		}
		plan.add(adminDatabase, bson.D{{Key: "shardCollection", Value: name}, {Key: "key", Value: document(key)}})
	case !isKey(now.Key, key):
		reshard := Step{adminDatabase, bson.D{
			{Key: "reshardCollection", Value: name}, {Key: "key", Value: document(key)},
		}}
		plan.Problems = append(plan.Problems, fmt.Sprintf("%s is sharded by another key than %s; to change it, run %s",
			name, key, reshard))
		return nil
	}
	if key.Hashed || len(plan.Shards) == 1 {
		return nil // MongoDB spreads hashed keys itself
	}
	err := c.db.Collection(collection.Name).FindOne(ctx, bson.D{},
		options.FindOne().SetProjection(bson.D{{Key: "_id", Value: 1}})).Err()
	if !errors.Is(err, driver.ErrNoDocuments) {
		return err
	}
	place, err := c.places(ctx, now)
	if err != nil {
		return err
	}
	plan.spread(name, bounds(key, len(plan.Shards)), place)
	return nil
}

// spread splits a collection without records at some bounds and moves each range to its shard: each shard gets one
// range of each kind of values. place has the shards of the ranges that exist, by their lower bounds.
func (p *Plan) spread(name string, bounds []bson.D, place map[string]string) {
	var lower []string
	for _, b := range bounds[:len(bounds)-1] {
		lower = append(lower, fmt.Sprint(b))
	}
	for at := range place {
		if !slices.Contains(lower, at) {
			return // it was split into other ranges, which are left to the balancer
		}
	}
	for i, at := range lower {
		if _, split := place[at]; !split && i > 0 {
			p.add(adminDatabase, bson.D{{Key: "split", Value: name}, {Key: "middle", Value: bounds[i]}})
		}
	}
	on := "" // the shard of a range; unknown before the collection is sharded
	for i, at := range lower {
		shard := p.Shards[i%len(p.Shards)]
		if on = cmp.Or(place[at], on); on != shard {
			p.add(adminDatabase, bson.D{
				{Key: "moveChunk", Value: name}, {Key: "bounds", Value: bson.A{bounds[i], bounds[i+1]}}, {Key: "to", Value: shard},
			})
		}
	}
}

// planIndex builds the index of the shard key when it is missing. A hashed one serves nothing else, so it is not among
// the indexes of the collection.
func (c cluster) planIndex(ctx context.Context, plan *Plan, collection mongo.Collection) error {
	if slices.Equal(collection.ShardKey.Fields, []string{"_id"}) && !collection.ShardKey.Hashed {
		return nil
	}
	cursor, err := c.db.Collection(collection.Name).Indexes().List(ctx)
	if err != nil {
		return err
	}
	var existing []struct {
		Key bson.D `bson:"key"`
	}
	if err := cursor.All(ctx, &existing); err != nil {
		return err
	}
	for _, ix := range existing {
		if isKey(ix.Key, collection.ShardKey) {
			return nil
		}
	}
	key := document(collection.ShardKey)
	var name []string
	for _, e := range key {
		name = append(name, fmt.Sprint(e.Key, "_", e.Value))
	}
	plan.add(c.db.Name(), bson.D{{Key: "createIndexes", Value: collection.Name}, {Key: "indexes", Value: bson.A{
		bson.D{{Key: "key", Value: key}, {Key: "name", Value: strings.Join(name, "_")}},
	}}})
	return nil
}
