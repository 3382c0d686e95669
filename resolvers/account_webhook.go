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
	hooks, err := publicError(r.Accounts.Webhooks.Of(ctx, v.Account))
	return orEmpty(hooks), err
}

func (m mutationResolver) CreateWebhook(ctx context.Context, in model.CreateWebhookInput) (
	*model.CreateWebhookPayload, error,
) {
	return inSession(ctx, m.root, func(v viewer.Viewer, p *model.CreateWebhookPayload) error {
		hook, err := m.Accounts.Webhooks.Create(ctx, v.Account, in)
		if err != nil {
			return err
		}
		secret := m.Accounts.Webhooks.Secret(hook)
		p.Webhook, p.Secret = hook, &secret
		return nil
	})
}

func (m mutationResolver) UpdateWebhook(ctx context.Context, in model.UpdateWebhookInput) (
	*model.UpdateWebhookPayload, error,
) {
	return inSession(ctx, m.root, func(v viewer.Viewer, p *model.UpdateWebhookPayload) (err error) {
		p.Webhook, err = m.Accounts.Webhooks.Update(ctx, v.Account, keyOf("Webhook", in.ID), in)
		return err
	})
}

func (m mutationResolver) DeleteWebhook(ctx context.Context, in model.DeleteWebhookInput) (
	*model.DeleteWebhookPayload, error,
) {
	return inSession(ctx, m.root, func(v viewer.Viewer, p *model.DeleteWebhookPayload) error {
		p.DeletedID = &in.ID
		return m.Accounts.Webhooks.Delete(ctx, v.Account, keyOf("Webhook", in.ID))
	})
}

func (m mutationResolver) SendTestEvent(ctx context.Context, in model.SendTestEventInput) (
	*model.SendTestEventPayload, error,
) {
	return inSession(ctx, m.root, func(v viewer.Viewer, p *model.SendTestEventPayload) error {
		hook, err := m.Accounts.Webhooks.Own(ctx, v.Account, keyOf("Webhook", in.ID))
		if err == nil {
			p.Delivery = m.TestWebhook(ctx, hook)
		}
		return err
	})
}
