// Package docs embeds the guides that the service serves at /docs/guides.
package docs

import "embed"

// Files has the guides, NAME.md each.
//
//go:embed authentication.md backup.md bulk-data.md caching.md capacity.md collections.md command-line.md
//go:embed configuration.md console.md errors.md feeding.md getting-started.md graphql.md live-updates.md
//go:embed mcp.md mongodb-and-scaling.md monitoring.md performance.md rate-limits.md reliability.md
//go:embed rest.md self-hosting.md upgrade.md webhooks.md
var Files embed.FS

// Guide is a guide. Its title is the first heading of the file.
type Guide struct {
	Name string // of the file without .md
	// About says in a sentence what the guide is about.
	About string
}

// Group is a part of the guides, in the order of reading.
type Group struct {
	Title  string
	Guides []Guide
}

// Groups are all guides.
var Groups = []Group{
	{"Using the API", []Guide{
		{"getting-started", "Start the service with a demo world and make the first requests."},
		{"rest", "Conventions of the REST API: parameters, headers, paging, and the way from REST to GraphQL."},
		{"graphql", "Requests, connections, ids, cost and limits of the GraphQL API, with queries to copy."},
		{"authentication", "Accounts, API tokens, OAuth2 for applications, and the access rules of players."},
		{"rate-limits", "How many requests a caller has, what they cost, and which headers show it."},
		{"errors", "The errors of both APIs with their codes and statuses."},
		{"caching", "How long responses may be cached, ETags, and caches in front of the service."},
		{"live-updates", "What happens in the game as a stream of server-sent events."},
		{"webhooks", "Events sent to your server or your Discord channel: requests, signatures and repetition."},
		{"bulk-data", "CSV and NDJSON, public dumps, exports, imports, and how to follow changes."},
		{"mcp", "Tools for language models: connect a client, call endpoints and run queries."},
		{"console", "The query console: tables, charts, downloads and code."},
	}},
	{"Running the service", []Guide{
		{"self-hosting", "Install the service, put it behind a proxy and keep it running."},
		{"configuration", "All settings, and the order in which flags, environment and files count."},
		{"command-line", "The commands, their exit statuses and progress, and their output as JSON."},
		{"mongodb-and-scaling", "Use MongoDB instead of the embedded store, and run several instances."},
		{"collections", "The collections of the store with their indexes."},
		{"feeding", "Write game data: events from game servers, over HTTP or in Go."},
		{"monitoring", "Health checks, metrics, alerts, the dashboard, logs and traces."},
		{"backup", "Back up and restore the store, and what to do when it is damaged."},
		{"upgrade", "Install a new version and go back to the one before."},
		{"reliability", "What the service guarantees when parts of it fail, and the tests that show it."},
		{"performance", "Measured figures, and how to measure them yourself."},
		{"capacity", "Instances, cores, memory and disks for a number of players and requests."},
	}},
}
