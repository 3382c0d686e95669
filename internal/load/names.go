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

type pageInfo struct {
	HasNextPage bool
	EndCursor   string
}

// readNames reads as many players and guilds from the target as a mix wants, fewer if there are fewer.
func readNames(ctx context.Context, target string, m *Mix) (*names, error) {
	c, err := client.New(target, client.Options{
		Agent: agent, Retries: 5, MaxWait: maxWait, CacheSize: -1, HTTP: &http.Client{Timeout: time.Minute},
	})
	if err != nil {
		return nil, err
	}
	n := &names{}
	for after := ""; len(n.players) < m.Players; {
		var page struct {
			Players struct {
				Nodes    []player
				PageInfo pageInfo
			}
		}
		err := c.Query(ctx, `query ($first: Int!, $after: String) {
			players(first: $first, after: $after) { nodes { uuid username } pageInfo { hasNextPage endCursor } }
		}`, pageVariables(m.Players-len(n.players), after), &page)
		if err != nil {
			return nil, fmt.Errorf("reading players: %w", err)
		}
		n.players = append(n.players, page.Players.Nodes...)
		if after = page.Players.PageInfo.EndCursor; !page.Players.PageInfo.HasNextPage {
			break
		}
	}
	for after := ""; len(n.guilds) < m.Guilds; {
		var page struct {
			Guilds struct {
				Nodes    []struct{ Name string }
				PageInfo pageInfo
			}
		}
		err := c.Query(ctx, `query ($first: Int!, $after: String) {
			guilds(first: $first, after: $after) { nodes { name } pageInfo { hasNextPage endCursor } }
		}`, pageVariables(m.Guilds-len(n.guilds), after), &page)
		if err != nil {
			return nil, fmt.Errorf("reading guilds: %w", err)
		}
		for _, g := range page.Guilds.Nodes {
			n.guilds = append(n.guilds, g.Name)
		}
		if after = page.Guilds.PageInfo.EndCursor; !page.Guilds.PageInfo.HasNextPage {
			break
		}
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

func pageVariables(missing int, after string) map[string]any {
	v := map[string]any{"first": min(missing, pageSize)}
	if after != "" {
		v["after"] = after
	}
	return v
}

// expand replaces the placeholders of a text. All of them name the same player and guild.
func (n *names) expand(text string, r *rand.Rand, escape func(string) string) string {
	var p player
	var guild string
	if len(n.players) > 0 {
		p = n.players[r.IntN(len(n.players))]
	}
	if len(n.guilds) > 0 {
		guild = n.guilds[r.IntN(len(n.guilds))]
	}
	return placeholder.ReplaceAllStringFunc(text, func(name string) string {
		switch name {
		case "{uuid}":
			return escape(p.UUID)
		case "{username}":
			return escape(p.Username)
		}
		return escape(guild)
	})
}

// ValidTarget reports whether a text is the URL of a service.
func ValidTarget(text string) bool {
	_, err := client.New(text, client.Options{})
	return err == nil
}
