package mongo

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"go.mongodb.org/mongo-driver/v2/bson"
	driver "go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"
)

const (
	adminDatabase  = "admin"
	configDatabase = "config"
)

// The collections of the metadata.
const (
	configDatabases   = "databases"
	configCollections = "collections"
	configChunks      = "chunks"
)

// cluster reads and changes the metadata of a sharded cluster, without a time limit: a chunk with records takes long to
// move.
type cluster struct {
	store  *Store
	client *driver.Client
	name   string // of the database
}

// shards returns the names of the shards. ErrNotSharded when the store is no cluster.
func (c cluster) shards(ctx context.Context) ([]string, error) {
	if !c.store.engine.sharded {
		return nil, ErrNotSharded
	}
	var reply struct {
		Shards []struct {
			ID string `bson:"_id"`
		} `bson:"shards"`
	}
	err := c.client.Database(adminDatabase).RunCommand(ctx, bson.D{{Key: "listShards", Value: 1}}).Decode(&reply)
	if err != nil {
		return nil, translateError(err)
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
	for _, collection := range Collections {
		names = append(names, c.name+"."+collection.Name)
	}
	cursor, err := c.client.Database(configDatabase).Collection(configCollections).Find(ctx, bson.D{
		{Key: "_id", Value: in(names)},
		{Key: "dropped", Value: bson.D{{Key: "$ne", Value: true}}},
		{Key: "unsplittable", Value: bson.D{{Key: "$ne", Value: true}}}, // moved, but whole
	})
	if err != nil {
		return nil, translateError(err)
	}
	var found []*shardedCollection
	if err := cursor.All(ctx, &found); err != nil {
		return nil, translateError(err)
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
	cursor, err := c.client.Database(configDatabase).Collection(configChunks).Find(ctx,
		bson.D{{Key: "uuid", Value: of.UUID}}, options.Find().SetProjection(projection("min", "shard")))
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
