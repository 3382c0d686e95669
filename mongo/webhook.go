package mongo

import (
	"context"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo/options"

	"gamedata/graph/model"
)

// Insert adds a webhook; ErrTaken when another has its place among those of the account.
func (s *WebhookStore) Insert(ctx context.Context, w *model.Webhook) error {
	return insertError(s.db.Collection(Webhooks).InsertOne(ctx, w))
}

// ByID reads webhooks in the order of their ids; nil where none has one.
func (s *WebhookStore) ByID(ctx context.Context, ids []string) ([]*model.Webhook, error) {
	return findInOrder(ctx, s.db.Collection(Webhooks), "_id", ids, func(w *model.Webhook) string { return w.Key })
}

// Of reads the webhooks of an account by their places.
func (s *WebhookStore) Of(ctx context.Context, account string) ([]*model.Webhook, error) {
	return find[model.Webhook](ctx, s.db.Collection(Webhooks), bson.D{{Key: "account", Value: account}},
		sortedBy("place"))
}

// Enabled reads the versions of all enabled webhooks by their ids.
func (s *WebhookStore) Enabled(ctx context.Context) (map[string]int64, error) {
	found, err := find[model.Webhook](ctx, s.db.Collection(Webhooks), bson.D{},
		options.Find().SetProjection(projection("version", "state.disabledAt")))
	versions := map[string]int64{}
	for _, w := range found {
		if w.DisabledAt == nil {
			versions[w.Key] = w.Version
		}
	}
	return versions, err
}

// Update replaces what the owner of a webhook can change, Since and the state, and raises the version. ErrNotFound when
// the webhook was changed or deleted, or an event was delivered, since it was read.
func (s *WebhookStore) Update(ctx context.Context, old, w *model.Webhook) error {
	w.Version = old.Version + 1
	return matchError(s.db.Collection(Webhooks).UpdateOne(ctx, unchangedWebhook(old), bson.D{{Key: "$set", Value: w}}))
}

// SetState replaces the state of a webhook: ErrNotFound as for Update.
func (s *WebhookStore) SetState(ctx context.Context, old *model.Webhook, state model.WebhookState) error {
	return matchError(s.db.Collection(Webhooks).UpdateOne(ctx, unchangedWebhook(old),
		bson.D{{Key: "$set", Value: bson.D{{Key: "state", Value: state}}}}))
}

func unchangedWebhook(w *model.Webhook) bson.D {
	return bson.D{
		{Key: "_id", Value: w.Key}, {Key: "version", Value: w.Version}, {Key: "state.deliveredTo", Value: w.DeliveredTo},
	}
}

// Delete deletes a webhook of an account; ErrNotFound when the account does not have it.
func (s *WebhookStore) Delete(ctx context.Context, account, id string) error {
	existed, err := s.db.Collection(Webhooks).DeleteOne(ctx,
		bson.D{{Key: "_id", Value: id}, {Key: "account", Value: account}})
	if err == nil && !existed {
		return ErrNotFound
	}
	return err
}

// DeleteOf deletes all webhooks of an account.
func (s *WebhookStore) DeleteOf(ctx context.Context, account string) error {
	return s.db.Collection(Webhooks).DeleteMany(ctx, bson.D{{Key: "account", Value: account}})
}
