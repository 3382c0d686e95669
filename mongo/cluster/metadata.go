package cluster

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
	driver "go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"

	"gamedata/mongo"
	"gamedata/mongo/conn"
)

const adminDatabase = "admin"

// cluster reads and changes the metadata of a sharded cluster, without a time limit: a chunk with records takes long to
// move.
type cluster struct{ db *driver.Database }

// connect connects to a cluster. ErrNotSharded when the store is none.
func connect(store *mongo.Store) (cluster, error) {
	if !store.Sharded() {
		return cluster{}, ErrNotSharded
	}
	db, err := store.Unlimited()
	return cluster{db}, err
}

func (c cluster) close(ctx context.Context) {
	end, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
	defer cancel()
	_ = c.db.Client().Disconnect(end)
}

// config returns a collection of the metadata.
func (c cluster) config(name string) *driver.Collection {
	return c.db.Client().Database("config").Collection(name)
}

// name returns the full name of a collection.
func (c cluster) name(of mongo.Collection) string { return c.db.Name() + "." + of.Name }

// shards returns the names of the shards.
func (c cluster) shards(ctx context.Context) ([]string, error) {
	var reply struct {
		Shards []struct {
			ID string `bson:"_id"`
		} `bson:"shards"`
	}
	err := c.db.Client().Database(adminDatabase).RunCommand(ctx, bson.D{{Key: "listShards", Value: 1}}).Decode(&reply)
	if err != nil {
		return nil, conn.Translate(err)
	}
	if len(reply.Shards) == 0 {
		return nil, errors.New("the cluster has no shards: add them first (sh.addShard)")
	}
	var names []string
	for _, s := range reply.Shards {
		names = append(names, s.ID)
	}
	slices.Sort(names)
	return names, nil
}

// shardedCollection is a sharded collection in the metadata of the cluster.
type shardedCollection struct {
	ID   string      `bson:"_id"`
	UUID bson.Binary `bson:"uuid"`
	Key  bson.D      `bson:"key"`
}

// sharded returns the collections that are sharded by their full names.
func (c cluster) sharded(ctx context.Context) (map[string]*shardedCollection, error) {
	var names []string
	for _, collection := range mongo.Collections {
		names = append(names, c.name(collection))
	}
	cursor, err := c.config("collections").Find(ctx, bson.D{
		{Key: "_id", Value: bson.D{{Key: "$in", Value: names}}},
		{Key: "dropped", Value: bson.D{{Key: "$ne", Value: true}}},
		{Key: "unsplittable", Value: bson.D{{Key: "$ne", Value: true}}}, // moved, but whole
	})
	if err != nil {
		return nil, conn.Translate(err)
	}
	var found []*shardedCollection
	if err := cursor.All(ctx, &found); err != nil {
		return nil, conn.Translate(err)
	}
	out := map[string]*shardedCollection{}
	for _, f := range found {
		out[f.ID] = f
	}
	return out, nil
}

// places returns the shards of the ranges of a collection by the text of their lower bounds.
func (c cluster) places(ctx context.Context, of *shardedCollection) (map[string]string, error) {
	out := map[string]string{}
	if of == nil {
		return out, nil
	}
	cursor, err := c.config("chunks").Find(ctx,
		bson.D{{Key: "uuid", Value: of.UUID}},
		options.Find().SetProjection(bson.D{{Key: "min", Value: 1}, {Key: "shard", Value: 1}}))
	if err != nil {
		return nil, err
	}
	var chunks []struct {
		Min   bson.D `bson:"min"`
		Shard string `bson:"shard"`
	}
	if err := cursor.All(ctx, &chunks); err != nil {
		return nil, err
	}
	for _, chunk := range chunks {
		out[fmt.Sprint(chunk.Min)] = chunk.Shard
	}
	return out, nil
}
