package load

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"time"

	"gamedata/client"
)

// names are the players and guilds of the target, for placeholders.
type names struct {
	players []player
	guilds  []string
}

type player struct{ UUID, Username string }

// pageSize is how many players or guilds one query reads.
const pageSize = 1000

// maxWait is the longest wait for the rate limit while names are read.
const maxWait = time.Minute

// readNames reads as many players and guilds from the target as a mix wants, fewer if there are fewer.
func readNames(ctx context.Context, target string, m *Mix) (*names, error) {
	c, err := client.New(target, client.Options{
		Agent: agent, Retries: 5, MaxWait: maxWait, CacheSize: -1, HTTP: &http.Client{Timeout: time.Minute},
	})
	if err != nil {
		return nil, err
	}
	n := &names{}
	if n.players, err = readNodes[player](ctx, c, "players", "uuid username", m.Players); err != nil {
		return nil, err
	}
	guilds, err := readNodes[struct{ Name string }](ctx, c, "guilds", "name", m.Guilds)
	if err != nil {
		return nil, err
	}
	for _, g := range guilds {
		n.guilds = append(n.guilds, g.Name)
	}
	if m.Players > 0 && len(n.players) == 0 {
		return nil, errors.New("the target has no players")
	}
	if m.Guilds > 0 && len(n.guilds) == 0 {
		return nil, errors.New("the target has no guilds")
	}
	if m.Players+m.Guilds == 0 { // nothing was read yet
		if _, err := c.Send(ctx, client.Request{Method: http.MethodGet, Target: "/livez"}); err != nil {
			return nil, err
		}
	}
	return n, nil
}

// readNodes reads fields of at most so many nodes of a connection.
func readNodes[T any](ctx context.Context, c *client.Client, connection, fields string, most int) ([]T, error) {
	var nodes []T
	query := fmt.Sprintf(`query ($first: Int!, $after: String) {
		%s(first: $first, after: $after) { nodes { %s } pageInfo { hasNextPage endCursor } }
	}`, connection, fields)
	variables := map[string]any{}
	for len(nodes) < most {
		variables["first"] = min(most-len(nodes), pageSize)
		var pages map[string]struct {
			Nodes    []T
			PageInfo struct {
				HasNextPage bool
				EndCursor   string
			}
		}
		if err := c.Query(ctx, query, variables, &pages); err != nil {
			return nil, fmt.Errorf("reading %s: %w", connection, err)
		}
		page := pages[connection]
		nodes = append(nodes, page.Nodes...)
		if !page.PageInfo.HasNextPage {
			break
		}
		variables["after"] = page.PageInfo.EndCursor
	}
	return nodes, nil
}

// choice is what the placeholders of a request name.
type choice struct {
	player player
	guild  string
}

func (n *names) choose(r *rand.Rand) (c choice) {
	if len(n.players) > 0 {
		c.player = n.players[r.IntN(len(n.players))]
	}
	if len(n.guilds) > 0 {
		c.guild = n.guilds[r.IntN(len(n.guilds))]
	}
	return c
}

// expand replaces the placeholders of a text.
func (c choice) expand(text string, escape func(string) string) string {
	return placeholder.ReplaceAllStringFunc(text, func(name string) string {
		switch name {
		case "{uuid}":
			return escape(c.player.UUID)
		case "{username}":
			return escape(c.player.Username)
		}
		return escape(c.guild)
	})
}

// ValidTarget reports whether a text is the URL of a service.
func ValidTarget(text string) bool {
	_, err := client.New(text, client.Options{})
	return err == nil
}
