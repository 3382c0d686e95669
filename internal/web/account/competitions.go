package account

import (
	"context"
	"net/http"
	"strings"
	"time"

	"gamedata/internal/web"
)

// Day returns the day that begins so many days after today, as fields of forms have it.
func (c *contents) Day(after int) string {
	return c.today.UTC().AddDate(0, 0, after).Format(time.DateOnly)
}

// createCompetition creates a competition from the first to the last day of the form: for a guild by its name, or for
// players, one per line.
func (p *Pages) createCompetition(ctx context.Context, q *request) {
	variables, faults := web.Bind(p.operations["CreateCompetition"], q.form), map[string]string{}
	for field, name := range map[string]string{"startsAt": "first", "endsAt": "last"} {
		at, err := time.Parse(time.DateOnly, q.form.Get(field))
		if err != nil {
			faults[field] = "Choose the " + name + " day of the competition."
		}
		variables[field] = at.Format(time.RFC3339)
	}
	if len(faults) > 0 {
		q.rejectFields(ctx, http.StatusBadRequest, faults)
		return
	}
	delete(variables, "guild")
	if name := strings.TrimSpace(q.form.Get("guild")); name != "" {
		variables["guild"] = map[string]any{"name": name}
	}
	p.change(ctx, q, "CreateCompetition", variables, "competition-created")
}
