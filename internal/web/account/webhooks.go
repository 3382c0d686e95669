package account

import (
	"context"
	"fmt"
	"net/http"
	"strings"

	"gamedata/graph/model"
	"gamedata/internal/web"
)

// disabledTexts say why a webhook was disabled.
var disabledTexts = map[model.WebhookDisabledReason]string{
	model.WebhookDisabledReasonOwner:  "by you",
	model.WebhookDisabledReasonFailed: "all attempts of 24 hours failed",
	model.WebhookDisabledReasonGone:   "its address responded with 410, which means that it is gone",
}

// Reason says why a webhook was disabled.
func (*contents) Reason(w Webhook) string {
	if w.DisabledReason == nil {
		return ""
	}
	return disabledTexts[model.WebhookDisabledReason(*w.DisabledReason)]
}

// eventTypes are the values of the schema's enum EventType.
func eventTypes() (values []string) {
	for _, k := range model.EventKinds {
		if !k.Internal {
			values = append(values, k.Value)
		}
	}
	return values
}

// createWebhook creates a webhook. Names of territories have spaces, so the form has one in a line.
func (p *Pages) createWebhook(ctx context.Context, q *request) {
	variables := web.Bind(p.operations["CreateWebhook"], q.form)
	territories := []any{}
	for line := range strings.Lines(q.form.Get("territories")) {
		if name := strings.TrimSpace(line); name != "" {
			territories = append(territories, name)
		}
	}
	variables["territories"] = territories
	p.change(ctx, q, "CreateWebhook", variables, "")
}

// testWebhook sends a test event and shows the result.
func (p *Pages) testWebhook(ctx context.Context, q *request) {
	if !q.requireSession(sectionOf(q.route.path).Path) {
		return
	}
	out := p.mutate(ctx, q, "SendTestEvent", web.Bind(p.operations["SendTestEvent"], q.form))
	if out == nil {
		return
	}
	d := out.Delivery
	shown := page{Done: fmt.Sprintf("The test event was delivered in %d ms.", d.Milliseconds)}
	if d.Error != nil {
		shown = page{Wrong: "The test event was not delivered: " + *d.Error + "."}
	}
	q.show(ctx, http.StatusOK, shown, nil)
}
