package account

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"gamedata/graph"
	"gamedata/graph/model"
	"gamedata/internal/web"
	"gamedata/mongo"
)

// disabledTexts explains why a webhook was disabled.
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

// eventGroup holds values of the schema's enum EventType.
type eventGroup struct {
	Title string
	Types []string
}

// eventTitles maps the first words of types of events to titles of groups.
var eventTitles = map[string]string{
	"TERRITORY": "Territories and wars", "WAR": "Territories and wars", "GUILD": "Guilds",
	"PLAYER": "Players and characters", "CHARACTER": "Players and characters", "RAID": "Players and characters",
}

func eventGroups() (out []eventGroup) {
	for _, k := range model.EventKinds {
		word, _, _ := strings.Cut(k.Value, "_")
		title := cmp.Or(eventTitles[word], "Seasons, leaderboards and news")
		at := slices.IndexFunc(out, func(g eventGroup) bool { return g.Title == title })
		switch {
		case k.Internal:
		case at < 0:
			out = append(out, eventGroup{title, []string{k.Value}})
		default:
			out[at].Types = append(out[at].Types, k.Value)
		}
	}
	return out
}

// webhookFilters are the form fields with lists of names, each of at most maxWebhookFilter.
var webhookFilters = []string{"guilds", "players", "territories"}

const maxWebhookFilter = 100

// linesOf returns the lines of a field, without empty ones.
func linesOf(text string) (out []string) {
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" {
			out = append(out, line)
		}
	}
	return out
}

// createWebhook creates a webhook. The form lists guilds, players and territories by name or uuid, one per line.
func (p *Pages) createWebhook(ctx context.Context, q *request) {
	faults, lines, names := map[string]string{}, map[string][]string{}, map[string]any{}
	for _, field := range webhookFilters {
		lines[field] = linesOf(q.form.Get(field))
		if n := len(lines[field]); n > maxWebhookFilter {
			faults[field] = fmt.Sprintf("Name at most %d %s, not %d. ", maxWebhookFilter, field, n)
		}
		names[field] = slices.DeleteFunc(slices.Clone(lines[field]), func(line string) bool {
			_, ok := model.ParseUUID(line)
			return ok
		})
	}
	if len(faults) > 0 {
		q.rejectFields(ctx, http.StatusBadRequest, faults)
		return
	}
	var found WebhookSubjects
	delete(names, "territories")
	if bad := p.run(ctx, "WebhookSubjects", names, &found); bad != nil {
		q.operationError(ctx, bad)
		return
	}
	known := map[string][]any{} // keys by field and name
	for _, g := range found.Guilds.Nodes {
		known["guilds "+mongo.Fold(g.Name)] = []any{g.UUID}
	}
	for _, o := range found.Players.Nodes { // several may have a name
		name := "players " + mongo.Fold(o.Username)
		known[name] = append(known[name], o.UUID)
	}
	for _, t := range found.Territories.Nodes {
		known["territories "+mongo.Fold(t.Name)] = []any{t.Name}
	}
	variables := web.Bind(p.operations["CreateWebhook"], q.form)
	for _, field := range webhookFilters {
		keys := []any{}
		for _, line := range lines[field] {
			same := known[field+" "+mongo.Fold(line)]
			if uuid, ok := model.ParseUUID(line); ok && field != "territories" {
				same = []any{uuid}
			}
			switch keys = append(keys, same...); {
			case len(same) == 0:
				faults[field] += fmt.Sprintf("None of the %s has the name “%s”. ", field, line)
			case len(same) > 1:
				faults[field] += fmt.Sprintf("Several %s have the name “%s”: write the UUID of one. ", field, line)
			}
		}
		variables[field] = keys
	}
	if len(faults) > 0 {
		q.rejectFields(ctx, http.StatusNotFound, faults)
		return
	}
	p.change(ctx, q, "CreateWebhook", variables, "")
}

// addNames adds the names of the guilds and players of the webhooks, by uuid.
func (c *contents) addNames(ctx context.Context, p *Pages) *graph.Error {
	c.subjects = map[string]string{}
	for _, w := range c.Viewer.Webhooks {
		var found WebhookNames
		variables := map[string]any{"guilds": w.GuildUuids, "players": w.PlayerUuids}
		if bad := p.run(ctx, "WebhookNames", variables, &found); bad != nil {
			return bad
		}
		for _, g := range found.Guilds.Nodes {
			c.subjects[g.UUID] = g.Name
		}
		for _, o := range found.Players.Nodes {
			c.subjects[o.UUID] = o.Username
		}
	}
	return nil
}

// Subject is the name of a guild or player, the uuid if it is unknown; a territory has only its name.
func (c *contents) Subject(key string) string { return cmp.Or(c.subjects[key], key) }

func (p *Pages) testWebhook(ctx context.Context, q *request) {
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
