package model

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
