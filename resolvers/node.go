package resolvers

import (
	"context"
	"slices"
	"strconv"

	"gamedata/graph/model"
	"gamedata/graph/viewer"
)

type nodeReader func(*root, context.Context, []string) ([]model.Node, error)

// nodeReaders maps a type to the function that reads its objects by key. A reader returns one object per key, in the
// order of the keys, nil for unknown keys, and only what the viewer may see.
var nodeReaders = map[string]nodeReader{
	"Ability":          eachNode((*root).ability),
	"AbilityTree":      eachNode((*root).abilityTree),
	"ApiToken":         ownNodes(viewerResolver.Tokens),
	"Application":      ownNodes(viewerResolver.Applications),
	"Archetype":        eachNode((*root).archetype),
	"Article":          eachNode(numbered((*root).article)),
	"Aspect":           eachNode((*root).aspect),
	"Character":        uuidNodes(charactersByUUID),
	"Class":            eachNode((*root).class),
	"Competition":      eachNode((*root).competition),
	"Discovery":        eachNode((*root).discovery),
	"Grant":            ownNodes(viewerResolver.Grants),
	"Guild":            eachNode((*root).guild),
	"GuildMember":      eachNode((*root).guildMember),
	"GuildSeason":      eachNode(numbered((*root).guildSeason)),
	"Item":             allNodes(itemsByName),
	"ItemSet":          eachNode((*root).itemSet),
	"Leaderboard":      eachNode((*root).leaderboard),
	"LeaderboardEntry": readEntries,
	"LootPool":         eachNode((*root).lootPool),
	"Player":           uuidNodes(playersByUUID),
	"Recipe":           eachNode((*root).recipe),
	"Session":          ownNodes(viewerResolver.Sessions),
	"Territory":        eachNode((*root).territory),
	"Video":            eachNode((*root).video),
	"Webhook":          ownNodes(viewerResolver.Webhooks),
	"WorldEvent":       eachNode((*root).worldEvent),
}

// identified is an object with a global id.
type identified interface {
	model.Node
	ID() string
}

// pointer is a pointer to such an object.
type pointer[T any] interface {
	*T
	identified
}

// eachNode returns a reader that reads object by object: for objects in memory or from a batching loader.
func eachNode[T any, P pointer[T]](read func(*root, context.Context, string) (P, error)) nodeReader {
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

// numbered turns a read by number into a read by string, which finds nothing if the string is not a number.
func numbered[T any](read func(*root, context.Context, int) (*T, error),
) func(*root, context.Context, string) (*T, error) {
	return func(r *root, ctx context.Context, key string) (*T, error) {
		number, err := strconv.Atoi(key)
		if err != nil {
			return nil, nil
		}
		return read(r, ctx, number)
	}
}

// allNodes returns a reader that reads all objects in one call.
func allNodes[T any, P pointer[T]](read func(context.Context, []string) ([]P, error)) nodeReader {
	return func(_ *root, ctx context.Context, keys []string) ([]model.Node, error) {
		found, err := read(ctx, keys)
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

// uuidNodes is allNodes for uuid keys.
func uuidNodes[T any, P pointer[T]](read func(context.Context, []string) ([]P, error)) nodeReader {
	return allNodes(func(ctx context.Context, keys []string) ([]P, error) {
		return read(ctx, each(keys, func(key string) string {
			uuid, _ := model.ParseUUID(key) // empty, and so unknown, if the key is no uuid
			return uuid
		}))
	})
}

// ownNodes returns a reader for objects that a field of the viewer lists, for the session's account only. Other viewers
// find nothing.
func ownNodes[T identified](list func(viewerResolver, context.Context, *model.Viewer) ([]T, error)) nodeReader {
	return func(r *root, ctx context.Context, keys []string) ([]model.Node, error) {
		out := make([]model.Node, len(keys))
		if !viewer.From(ctx).Is(viewer.Session) {
			return out, nil
		}
		own, err := list(viewerResolver{r}, ctx, nil)
		if err != nil {
			return nil, err
		}
		for i, key := range keys {
			at := slices.IndexFunc(own, func(n T) bool {
				_, have, _ := model.ParseGlobalID(n.ID())
				return have == key
			})
			if at >= 0 {
				out[i] = own[at]
			}
		}
		return out, nil
	}
}

func (q queryResolver) Node(ctx context.Context, id string) (model.Node, error) {
	return sole(q.readNodes(ctx, []string{id}))
}

func (q queryResolver) Nodes(ctx context.Context, ids []string) ([]model.Node, error) {
	return q.readNodes(ctx, ids)
}

// readNodes reads objects by their ids, all objects of a type at once. An object is not found by another spelling of
// its id, since clients store objects by their ids.
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
			if node, ok := found[i].(identified); ok && node.ID() == ids[place] {
				out[place] = node
			}
		}
	}
	return out, nil
}
