package resolvers

import (
	"context"
	"maps"
	"strconv"

	"gamedata/graph"
	"gamedata/graph/model"
	"gamedata/loaders"
)

// maxNodes is the maximum number of ids of the field nodes.
const maxNodes = 100

// nodeReader reads objects of one type by their keys.
type nodeReader func(*root, context.Context, []string) ([]model.Node, error)

func init() { maps.Copy(nodeReaders, accountNodeReaders) }

// nodeReaders read objects by their keys, by type: as many as keys, in their order, nil where there is none. What a
// reader returns is what the viewer may see.
var nodeReaders = map[string]nodeReader{
	"Article": eachNode(func(r *root, ctx context.Context, key string) (*model.Article, error) {
		pk, err := strconv.Atoi(key)
		if err != nil {
			return nil, nil
		}
		return r.article(ctx, pk)
	}),
	"Item": eachNode(func(r *root, ctx context.Context, key string) (*model.Item, error) {
		return queryResolver{r}.Item(ctx, model.ItemBy{InternalName: &key})
	}),
	"ItemSet": eachNode(func(r *root, ctx context.Context, key string) (*model.ItemSet, error) {
		return queryResolver{r}.ItemSet(ctx, model.ItemSetBy{Name: &key})
	}),
	"Recipe": eachNode(func(r *root, ctx context.Context, key string) (*model.Recipe, error) {
		return queryResolver{r}.Recipe(ctx, model.RecipeBy{InternalName: &key})
	}),
	"Discovery": eachNode(func(_ *root, ctx context.Context, key string) (*model.Discovery, error) {
		all, err := stored(loaders.From(ctx).Discoveries(ctx))
		if err != nil {
			return nil, err
		}
		return firstOf(all.All, func(d *model.Discovery) bool { return d.Name == key }), nil
	}),
	"Video": eachNode(func(_ *root, ctx context.Context, key string) (*model.Video, error) {
		all, err := stored(loaders.From(ctx).Videos(ctx))
		return firstOf(all, func(v *model.Video) bool { return v.URI == key }), err
	}),
	"Player":    uuidNodes(playersByUUID),
	"Character": uuidNodes(charactersByUUID),
}

// eachNode returns a reader for objects that are in memory, or are read by a loader that batches.
func eachNode[T any, P interface {
	*T
	model.Node
}](read func(*root, context.Context, string) (P, error)) nodeReader {
	return func(r *root, ctx context.Context, keys []string) ([]model.Node, error) {
		out := make([]model.Node, len(keys))
		for i, key := range keys {
			found, err := read(r, ctx, key)
			if err != nil {
				return nil, err
			}
			if found != nil {
				out[i] = found
			}
		}
		return out, nil
	}
}

// uuidNodes returns a reader for objects that are read together by their uuids.
func uuidNodes[T any, P interface {
	*T
	model.Node
}](read func(context.Context, []string) ([]P, error)) func(*root, context.Context, []string) ([]model.Node, error) {
	return func(_ *root, ctx context.Context, keys []string) ([]model.Node, error) {
		found, err := read(ctx, each(keys, func(key string) string {
			uuid, _ := model.ParseUUID(key) // empty for what is no uuid: no object has it
			return uuid
		}))
		if err != nil {
			return nil, err
		}
		return each(found, func(record P) model.Node {
			if record == nil {
				return nil
			}
			return record
		}), nil
	}
}

func (q queryResolver) Node(ctx context.Context, id string) (model.Node, error) {
	found, err := q.readNodes(ctx, []string{id})
	if err != nil {
		return nil, err
	}
	return found[0], nil
}

func (q queryResolver) Nodes(ctx context.Context, ids []string) ([]model.Node, error) {
	if len(ids) < 1 || len(ids) > maxNodes {
		return nil, graph.Errorf(graph.InvalidQueryParams, "ids must hold 1 to %d ids.", maxNodes)
	}
	return q.readNodes(ctx, ids)
}

// readNodes reads objects by their ids, those of one type together.
func (r *root) readNodes(ctx context.Context, ids []string) ([]model.Node, error) {
	out := make([]model.Node, len(ids))
	keys, places := map[string][]string{}, map[string][]int{}
	for i, id := range ids {
		if typ, key, ok := model.ParseGlobalID(id); ok && nodeReaders[typ] != nil {
			keys[typ], places[typ] = append(keys[typ], key), append(places[typ], i)
		}
	}
	for typ, of := range keys {
		found, err := nodeReaders[typ](r, ctx, of)
		if err != nil {
			return nil, err
		}
		for i, place := range places[typ] {
			out[place] = found[i]
		}
	}
	return out, nil
}
