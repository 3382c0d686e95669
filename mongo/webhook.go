package mongo

import (
	"context"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo/options"

	"gamedata/graph/model"
)

// WebhookStore reads and writes webhooks.
type WebhookStore struct{ accountTable[model.Webhook] }

// Enabled reads the versions of all enabled webhooks by their ids.
func (s *WebhookStore) Enabled(ctx context.Context) (map[string]int64, error) {
	found, err := find[model.Webhook](ctx, s.any.records(), bson.D{},
		options.Find().SetProjection(projection("version", "state.disabledAt")))
	versions := map[string]int64{}
	for _, w := range found {
		if w.DisabledAt == nil {
			versions[w.Key] = w.Version
		}
	}
	return versions, err
}
