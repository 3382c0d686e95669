package resolvers

import (
	"context"

	"gamedata/graph/model"
	"gamedata/graph/viewer"
)

func (r viewerResolver) Webhooks(ctx context.Context, _ *model.Viewer) ([]*model.Webhook, error) {
	v, err := r.signedIn(ctx)
	if err != nil {
		return nil, nil
	}
	hooks, err := stored(r.accounts.Webhooks.Of(ctx, v.Account))
	return orEmpty(hooks), err
}

func (m mutationResolver) CreateWebhook(ctx context.Context, in model.CreateWebhookInput) (
	*model.CreateWebhookPayload, error,
) {
	return inSession(ctx, m.root, func(v viewer.Viewer, p *model.CreateWebhookPayload) error {
		hook, replayed, err := createOnce(ctx, m.root, v.Account, in.IdempotencyKey, in,
			func(ctx context.Context) (*model.Webhook, error) {
				return m.accounts.Webhooks.Create(ctx, v.Account, in)
			},
			func(w *model.Webhook) string { return w.Key }, m.accounts.Webhooks.Of)
		if err != nil {
			return err
		}
		p.Webhook, p.Replayed = hook, &replayed
		if !replayed {
			secret := m.accounts.Webhooks.Secret(hook)
			p.Secret = &secret
		}
		return nil
	})
}

func (m mutationResolver) UpdateWebhook(ctx context.Context, in model.UpdateWebhookInput) (
	*model.UpdateWebhookPayload, error,
) {
	return inSession(ctx, m.root, func(v viewer.Viewer, p *model.UpdateWebhookPayload) (err error) {
		p.Webhook, err = m.accounts.Webhooks.Update(ctx, v.Account, keyOf("Webhook", in.ID), in)
		return err
	})
}

func (m mutationResolver) DeleteWebhook(ctx context.Context, in model.DeleteWebhookInput) (
	*model.DeleteWebhookPayload, error,
) {
	return inSession(ctx, m.root, func(v viewer.Viewer, p *model.DeleteWebhookPayload) error {
		p.DeletedID = &in.ID
		return m.accounts.Webhooks.Delete(ctx, v.Account, keyOf("Webhook", in.ID))
	})
}

func (m mutationResolver) SendTestEvent(ctx context.Context, in model.SendTestEventInput) (
	*model.SendTestEventPayload, error,
) {
	return inSession(ctx, m.root, func(v viewer.Viewer, p *model.SendTestEventPayload) error {
		hook, err := m.accounts.Webhooks.Own(ctx, v.Account, keyOf("Webhook", in.ID))
		if err == nil {
			p.Delivery = m.testWebhook(ctx, hook)
		}
		return err
	})
}
