package loaders

import (
	"context"

	"gamedata/graph/model"
)

// charactersByOwner keeps what it finds for lookups by uuid later in the operation.
func (set *Set) charactersByOwner(ctx context.Context, owners []string) ([][]*model.Character, error) {
	found, err := charactersByOwner.reader(set, set.source.store.CharactersByOwner)(ctx, owners)
	for _, group := range found {
		for _, c := range group {
			set.CharacterByUUID.Prime(ctx, c.UUID, c)
		}
	}
	return found, err
}
