package resolvers

import (
	"context"
	"slices"

	"gamedata/graph/model"
	"gamedata/graph/viewer"
)

// accountNodeReaders read what belongs to the account of a session. Everybody else finds nothing.
var accountNodeReaders = map[string]nodeReader{
	"ApiToken":    ownNodes(viewerResolver.Tokens),
	"Application": ownNodes(viewerResolver.Applications),
	"Grant":       ownNodes(viewerResolver.Grants),
	"Session":     ownNodes(viewerResolver.Sessions),
}

// ownNodes returns a reader of objects that a field of the viewer lists.
func ownNodes[T interface {
	model.Node
	ID() string
}](list func(viewerResolver, context.Context, *model.Viewer) ([]T, error)) nodeReader {
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
