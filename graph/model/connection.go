package model

import (
	"context"
	"encoding/base64"
	"strings"
	"time"
)

// PageArgs are the arguments that select a page of a connection.
type PageArgs struct {
	First  *int
	After  *string
	Last   *int
	Before *string
	Page   *int // its number, for lists with numbered pages
}

// Connection is a page of a list, as defined by the GraphQL cursor connections specification.
type Connection[T any] struct {
	// Items are the entries of the page.
	Items []T
	// Cursor returns the cursor of an entry of the page.
	Cursor func(i int) string
	// More reports whether entries follow the page, Before whether entries precede it.
	More, Before bool
	// Total counts the whole list if the count is selected. It is nil or returns nil if the list is not counted.
	Total func(context.Context) (*int, error)
	// Numbers is the position of a page requested by number.
	Numbers *PageNumbers
	// Start and End are the cursors of the page's ends if they differ from the first and last entry: a search passes
	// over entries that do not match.
	Start, End string
}

// Edge is an entry of a connection and its cursor.
type Edge[T any] struct {
	Cursor string
	Node   T
}

// Nodes returns the entries.
func (c *Connection[T]) Nodes() []T { return c.Items }

// Edges returns the entries with their cursors.
func (c *Connection[T]) Edges() []*Edge[T] {
	out := make([]*Edge[T], len(c.Items))
	for i, item := range c.Items {
		out[i] = &Edge[T]{Cursor: c.Cursor(i), Node: item}
	}
	return out
}

// PageInfo returns the position of the page.
func (c *Connection[T]) PageInfo() *PageInfo {
	p := &PageInfo{HasNextPage: c.More, HasPreviousPage: c.Before}
	if n := len(c.Items); n > 0 {
		p.StartCursor, p.EndCursor = new(c.Cursor(0)), new(c.Cursor(n-1))
	}
	if c.Start != "" {
		p.StartCursor = &c.Start
	}
	if c.End != "" {
		p.EndCursor = &c.End
	}
	return p
}

// TotalCount returns the number of entries in the whole list, or nil if the list is not counted.
func (c *Connection[T]) TotalCount(ctx context.Context) (*int, error) {
	if c.Total == nil {
		return nil, nil
	}
	return c.Total(ctx)
}

// PageNumbers returns the position of a page requested by number, or nil for other pages.
func (c *Connection[T]) PageNumbers() *PageNumbers { return c.Numbers }

// EncodeCursor returns an opaque cursor that contains a text.
func EncodeCursor(text string) string { return base64.RawURLEncoding.EncodeToString([]byte(text)) }

// DecodeCursor returns the text of a cursor; ok is false unless EncodeCursor made the cursor.
func DecodeCursor(cursor string) (text string, ok bool) {
	raw, err := base64.RawURLEncoding.Strict().DecodeString(cursor)
	return string(raw), err == nil
}

// TerritoryConnection is a page of territories.
type TerritoryConnection struct {
	Connection[*Territory]

	RefreshedAt, ResourcesRefreshedAt time.Time
}

// OnlinePlayerConnection is a page of online players.
type OnlinePlayerConnection struct {
	*Connection[*OnlinePlayer]
	// OnlineCount counts hidden players too.
	OnlineCount int
}

// GlobalID returns the opaque id of an object: its type and its key, which is unique among objects of the type.
func GlobalID(typ, key string) string { return EncodeCursor(typ + ":" + key) }

// ParseGlobalID returns the type and the key of an id; ok is false unless GlobalID made the id.
func ParseGlobalID(id string) (typ, key string, ok bool) {
	text, ok := DecodeCursor(id)
	if !ok {
		return "", "", false
	}
	typ, key, ok = strings.Cut(text, ":")
	return typ, key, ok && typ != "" && key != ""
}

// SearchResult holds the results of a search. The list of a category is empty if it was not searched or has no match.
type SearchResult struct {
	Query       string
	Players     []*Player // with only uuid and name if Brief
	Brief       bool
	Guilds      []*Guild // guilds found by name first, then guilds found by tag alone
	Items       []*Item
	Territories []*Territory
	Discoveries []*Discovery
}

// TotalCount returns the number of matches.
func (r *SearchResult) TotalCount() int {
	return len(r.Players) + len(r.Guilds) + len(r.Items) + len(r.Territories) + len(r.Discoveries)
}

// IsEmpty reports whether there is no match.
func (r *SearchResult) IsEmpty() bool { return r.TotalCount() == 0 }

// SearchGuildConnection is a page of guilds found by a search.
type SearchGuildConnection struct {
	Connection[*Guild]

	// ByName holds the page's guilds found by name or uuid, ByPrefix the guilds found by tag.
	ByName, ByPrefix []*Guild
}
