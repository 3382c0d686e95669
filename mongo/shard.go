package mongo

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
)

// ErrNotSharded means that the store is no sharded cluster.
var ErrNotSharded = errors.New("the store is not a sharded cluster: name a mongos with --mongo-uri")

// ShardStep is a command that distributes a collection over the shards.
type ShardStep struct {
	// Database is the one that the command is sent to.
	Database string
	Command  bson.D
}

// String returns the step as mongosh takes it.
func (s ShardStep) String() string {
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

func (s ShardStep) equal(other ShardStep) bool { return s.String() == other.String() }

// ShardPlan is what a cluster lacks of the distribution that the shard keys of Collections describe.
type ShardPlan struct {
	// Shards are the names of the shards.
	Shards []string
	// Steps are the commands, in order.
	Steps []ShardStep
	// Problems are the collections that have another shard key. They are left alone: to change a key copies the
	// collection.
	Problems []string
}

// ShardPlan compares a cluster with the shard keys of Collections. Empty collections are to be split into one range for
// each shard. ErrNotSharded when the store is no cluster.
func (s *Store) ShardPlan(ctx context.Context) (*ShardPlan, error) {
	b, err := s.Indexes.newBuilder()
	if err != nil {
		return nil, err
	}
	defer b.close(ctx)
	return cluster{s, b.client, s.options.Database}.plan(ctx)
}

// ApplyShardPlan runs the steps of a plan, one after the other, and passes each to done. A step that fails because
// another process has already run it is not an error. After an error, a new plan has the remaining steps.
func (s *Store) ApplyShardPlan(ctx context.Context, plan *ShardPlan, done func(ShardStep)) error {
	b, err := s.Indexes.newBuilder()
	if err != nil {
		return err
	}
	defer b.close(ctx)
	c := cluster{s, b.client, s.options.Database}
	for _, step := range plan.Steps {
		if err := b.client.Database(step.Database).RunCommand(ctx, step.Command).Err(); err != nil {
			left, planErr := c.plan(ctx)
			if planErr != nil || slices.ContainsFunc(left.Steps, step.equal) {
				return fmt.Errorf("%s: %w", step, translateError(err))
			}
		}
		done(step)
	}
	return nil
}

func (c cluster) plan(ctx context.Context) (*ShardPlan, error) {
	shards, err := c.shards(ctx)
	if err != nil {
		return nil, err
	}
	plan := &ShardPlan{Shards: shards}
	if err := c.planDatabase(ctx, plan); err != nil {
		return nil, err
	}
	sharded, err := c.sharded(ctx)
	if err != nil {
		return nil, err
	}
	for _, collection := range Collections {
		if collection.ShardKey.Fields == nil {
			continue
		}
		if err := c.planCollection(ctx, plan, collection, sharded[c.name+"."+collection.Name]); err != nil {
			return nil, translateError(err)
		}
	}
	return plan, nil
}

// planDatabase enables sharding of the database, which MongoDB 6.0 and later do by themselves.
func (c cluster) planDatabase(ctx context.Context, plan *ShardPlan) error {
	known, err := c.client.Database(configDatabase).Collection(configDatabases).CountDocuments(ctx, byStringID(c.name))
	if err == nil && known == 0 {
		plan.add(adminDatabase, bson.D{{Key: "enableSharding", Value: c.name}})
	}
	return translateError(err)
}

func byStringID(id string) bson.D { return bson.D{{Key: "_id", Value: id}} }

func (p *ShardPlan) add(database string, command bson.D) {
	p.Steps = append(p.Steps, ShardStep{database, command})
}

// planCollection shards a collection, and splits and spreads it while it has no records. Later the balancer does both,
// by the size of the ranges.
func (c cluster) planCollection(ctx context.Context, plan *ShardPlan, collection Collection, now *shardedCollection,
) error {
	name, key := c.name+"."+collection.Name, collection.ShardKey
	switch {
	case now == nil:
		if err := c.planIndex(ctx, plan, collection); err != nil {
			return err
		}
		plan.add(adminDatabase, bson.D{{Key: "shardCollection", Value: name}, {Key: "key", Value: key.document()}})
	case fmt.Sprint(existingIndex{Key: now.Key}.fields()) != fmt.Sprint(key.Fields) || isHashed(now.Key) != key.Hashed:
		reshard := ShardStep{adminDatabase, bson.D{
			{Key: "reshardCollection", Value: name}, {Key: "key", Value: key.document()},
		}}
		plan.Problems = append(plan.Problems, fmt.Sprintf("%s is sharded by another key than %s; to change it, run %s",
			name, key, reshard))
		return nil
	}
	if key.Hashed || len(plan.Shards) == 1 {
		return nil // MongoDB spreads hashed keys itself
	}
	err := c.client.Database(c.name).Collection(collection.Name).FindOne(ctx, bson.D{},
		options.FindOne().SetProjection(projection("_id"))).Err()
	if !errors.Is(err, driver.ErrNoDocuments) {
		return err
	}
	place, err := c.places(ctx, now)
	if err != nil {
		return err
	}
	plan.spread(name, key.bounds(len(plan.Shards)), place)
	return nil
}

// spread splits a collection without records at some bounds and moves each range to its shard: each shard gets one
// range of each kind of values. place has the shards of the ranges that exist, by their lower bounds.
func (p *ShardPlan) spread(name string, bounds []bson.D, place map[string]string) {
	lower := each(bounds[:len(bounds)-1], func(b bson.D) string { return fmt.Sprint(b) })
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

func isHashed(key bson.D) bool {
	return slices.ContainsFunc(key, func(e bson.E) bool { return e.Value == "hashed" })
}

// planIndex builds the index of the shard key when it is missing. A hashed one serves nothing else, so it is not among
// the indexes of the collection.
func (c cluster) planIndex(ctx context.Context, plan *ShardPlan, collection Collection) error {
	key := collection.ShardKey
	existing, err := c.store.Indexes.existing(ctx, collection.Name)
	if err != nil {
		return err
	}
	for _, ix := range append(existing, existingIndex{Key: allOnes([]string{"_id"})}) {
		if slices.Equal(ix.fields(), key.Fields) && isHashed(ix.Key) == key.Hashed {
			return nil
		}
	}
	name := Index{Fields: key.Fields}.name()
	if key.Hashed {
		name = key.Fields[0] + "_hashed"
	}
	plan.add(c.name, bson.D{{Key: "createIndexes", Value: collection.Name}, {Key: "indexes", Value: bson.A{
		bson.D{{Key: "key", Value: key.document()}, {Key: "name", Value: name}},
	}}})
	return nil
}
