package model

import (
	"context"
	"encoding/base64"
	"strings"
	"time"
)

// Connection is a page of a list, as the specification of GraphQL cursor connections has it.
type Connection[T any] struct {
	// Items are the entries of the page.
	Items []T
	// Cursor returns the cursor of an entry of the page.
	Cursor func(i int) string
	// More says whether entries follow, Before whether entries come before the page.
	More, Before bool
	// Total counts the whole list when the count is selected. It is nil, or its result is, if the list is not counted.
	Total func(context.Context) (*int, error)
	// Numbers is the position of a page that was chosen by its number.
	Numbers *PageNumbers
	// Start and End are the cursors of the page's ends if those are not its first and its last entry: a search looks at
	// entries that do not match.
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

// TotalCount returns the number of entries of the whole list, nil if they are not counted.
func (c *Connection[T]) TotalCount(ctx context.Context) (*int, error) {
	if c.Total == nil {
		return nil, nil
	}
	return c.Total(ctx)
}

// PageNumbers returns the position of a page that was chosen by its number, nil for other pages.
func (c *Connection[T]) PageNumbers() *PageNumbers { return c.Numbers }

// EncodeCursor returns an opaque cursor that contains a text.
func EncodeCursor(text string) string { return base64.RawURLEncoding.EncodeToString([]byte(text)) }

// DecodeCursor returns the text of a cursor; ok is false for what EncodeCursor did not return.
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

// ParseGlobalID returns the type and the key of an id; ok is false for what GlobalID did not return.
func ParseGlobalID(id string) (typ, key string, ok bool) {
	text, ok := DecodeCursor(id)
	if !ok {
		return "", "", false
	}
	typ, key, ok = strings.Cut(text, ":")
	return typ, key, ok && typ != "" && key != ""
}

// SearchResult is what a search found. The list of a category is empty if it was not searched or has no match.
type SearchResult struct {
	Query       string
	Players     []*Player // with nothing but uuid and name if Brief
	Brief       bool
	Guilds      []*Guild // found by name first, then those found by tag alone
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

// SearchGuildConnection is a page of guilds that a search found.
type SearchGuildConnection struct {
	Connection[*Guild]

	// ByName and ByPrefix are the guilds of the page that were found by name or uuid, and by tag.
	ByName, ByPrefix []*Guild
}
