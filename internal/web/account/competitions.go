package account

import (
	"context"
	"strings"

	"gamedata/internal/web"
)

// createCompetition creates a competition between the first and the last day of the form: of a guild by its name, or
// of players, one in a line.
func (p *Pages) createCompetition(ctx context.Context, q *request) {
	variables := web.Bind(p.operations["CreateCompetition"], q.form)
	for _, name := range []string{"startsAt", "endsAt"} {
		variables[name] = q.form.Get(name) + "T00:00:00Z"
	}
	delete(variables, "guild")
	if name := strings.TrimSpace(q.form.Get("guild")); name != "" {
		variables["guild"] = map[string]any{"name": name}
	}
	p.change(ctx, q, "CreateCompetition", variables, "competition-created")
}
