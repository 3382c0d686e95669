package mongo

import (
	"context"
	"slices"
	"strings"

	"gamedata/mongo/conn"

	"go.mongodb.org/mongo-driver/v2/bson"
)

// metadataInconsistency is a difference between shards, as checkMetadataConsistency reports it.
type metadataInconsistency struct {
	Type    string
	Details struct {
		Namespace string
		Info      struct {
			IndexName              string   `bson:"indexName"`
			InconsistentProperties []string `bson:"inconsistentProperties"`
			MissingFromShards      []string `bson:"missingFromShards"`
		}
	}
}

// cannotCompare are the codes of a server that cannot compare the indexes of shards: Unauthorized, CommandNotFound,
// CommandNotSupported, and an unknown field.
var cannotCompare = []int{13, 59, 115, 40415}

// ProblemsOfShards is Problems with the indexes that only some shards lack, or have with other options. The
// router of a cluster lists the indexes of one shard, so Problems does not find these. They are not found before
// MongoDB 7.0, nor for a user who may not run checkMetadataConsistency.
func (s *IndexStore) ProblemsOfShards(ctx context.Context) ([]IndexProblem, error) {
	problems, err := s.Problems(ctx)
	if err != nil {
		return nil, err
	}
	return s.compareShards(ctx, problems)
}

// compareShards adds the problems of single shards to those of a whole cluster.
func (s *IndexStore) compareShards(ctx context.Context, problems []IndexProblem) ([]IndexProblem, error) {
	if !s.db.Sharded() {
		return problems, nil
	}
	var found []metadataInconsistency
	err := s.db.RunAll(conn.WithLongTimeout(ctx), bson.D{
		{Key: "checkMetadataConsistency", Value: 1}, {Key: "checkIndexes", Value: true},
	}, &found)
	if conn.HasCode(err, cannotCompare...) {
		return problems, nil
	}
	if err != nil {
		return nil, err
	}
	for _, inconsistency := range found {
		p := s.shardIndexProblem(inconsistency)
		if p != nil && !slices.ContainsFunc(problems, func(known IndexProblem) bool { return known.Name() == p.Name() }) {
			problems = append(problems, *p)
		}
	}
	return problems, nil
}

// shardIndexProblem returns nil for what is not about an index of Collections.
func (s *IndexStore) shardIndexProblem(found metadataInconsistency) *IndexProblem {
	name, own := strings.CutPrefix(found.Details.Namespace, s.db.Name()+".")
	if found.Type != "InconsistentIndex" || !own {
		return nil
	}
	info := found.Details.Info
	for _, c := range Collections {
		indexes := c.indexes()
		at := slices.IndexFunc(indexes, func(ix Index) bool { return ix.name() == info.IndexName })
		if c.Name != name || at < 0 {
			continue
		}
		p := &IndexProblem{Collection: name, Index: indexes[at], Shards: info.MissingFromShards}
		if len(p.Shards) == 0 {
			p.Existing = info.IndexName
			p.Difference = "differs between shards in " + strings.Join(info.InconsistentProperties, ", ")
		}
		return p
	}
	return nil
}
