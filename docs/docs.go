// Package docs embeds the guides for users of the API, which the service serves at /docs/guides. The pages for
// operators and developers are files of the repository.
package docs

import "embed"

// Files has the guides, NAME.md each.
//
//go:embed authentication.md bulk-data.md caching.md console.md discord.md errors.md feeding.md getting-started.md
//go:embed graphql.md live-updates.md mcp.md rate-limits.md rest.md typed-clients.md webhooks.md
var Files embed.FS

// Guide is a guide. Its title is the first heading of the file.
type Guide struct {
	Name string // of the file without .md
	// About says in a sentence what the guide is about.
	About string
}

// Guides are all guides, in the order of reading.
var Guides = []Guide{
	{"getting-started", "Start the service with a demo world and make the first requests."},
	{"rest", "Conventions of the REST API: parameters, headers, paging, and the way from REST to GraphQL."},
	{"graphql", "Requests, connections, ids, cost and limits of the GraphQL API, with queries to copy."},
	{"typed-clients", "Clients with generated types, for GraphQL and for REST."},
	{"authentication", "Accounts, API tokens, OAuth2 for applications, and the access rules of players."},
	{"rate-limits", "How many requests a caller has, what they cost, and which headers show it."},
	{"errors", "The errors of both APIs with their codes and statuses."},
	{"caching", "How long responses may be cached, ETags, and caches in front of the service."},
	{"live-updates", "What happens in the game as a stream of server-sent events."},
	{"webhooks", "Events sent to your server or your Discord channel: requests, signatures and repetition."},
	{"discord", "A message in a Discord channel that shows who is online: a program in Python and TypeScript."},
	{"bulk-data", "CSV and NDJSON, public dumps, exports, imports, and how to follow changes."},
	{"mcp", "Tools for language models: connect a client, call endpoints and run queries."},
	{"console", "The query console: tables, charts, downloads and code."},
	{"feeding", "Send events of game servers to POST /feed."},
}
