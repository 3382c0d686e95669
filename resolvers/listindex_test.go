package resolvers_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

// indexedList is a list of players or guilds, and how an index or known records serve it.
type indexedList struct {
	// arguments are the arguments of the list besides the order, without braces around them.
	field, filter, order string
	// documents is how many documents a page of five may read, besides what is in memory.
	documents int64
}

// listsOfRecords has every order and every filter of players, guilds, members, online players and characters.
// TestListsUseIndexes fails when one is missing.
func listsOfRecords() (lists []indexedList) {
	const moss, salted = "5e0f9a7b-2c3d-4e1f-8a6b-9c0d1e2f3a4b", "3f2b8c1e-7a4d-4e9b-9c55-0d1e2f3a4b5c"
	now := now.Format(time.RFC3339)
	const page = 12   // one entry more than the page has, before and after redaction
	const known = 150 // the members of a guild, or who is online
	return []indexedList{
		{"players", ``, "USERNAME", page},
		{"players", ``, "UUID", page},
		{"players", ``, "LAST_JOINED_AT", page},
		{"players", ``, "TOTAL_LEVEL", page},
		{"players", `usernamePrefix:"s"`, "USERNAME", page},
		{"players", `lastJoinedAt:{to:"` + now + `"}`, "LAST_JOINED_AT", page},
		{"players", `totalLevel:{min:100}`, "TOTAL_LEVEL", page},
		{"players", ``, "UPDATED_AT", page},
		{"players", `changedSince:"1970-01-02T00:00:00Z"`, "UPDATED_AT", page},
		{"players", `uuids:["` + salted + `"]`, "USERNAME", page},
		{"players", `usernames:["SALTED","nobody"]`, "USERNAME", page},
		{"players", `guildUuid:"` + moss + `"`, "USERNAME", known},
		{"players", `guildUuid:"` + moss + `",guildRanks:[OWNER]`, "UUID", known},
		{"players", `online:true`, "USERNAME", known},
		{"players", `world:"1"`, "LAST_JOINED_AT", known},
		{"guilds", ``, "NAME", page},
		{"guilds", ``, "LEVEL", page},
		{"guilds", ``, "WARS", page},
		{"guilds", ``, "CREATED_AT", page},
		{"guilds", ``, "UPDATED_AT", page},
		{"guilds", `changedSince:"1970-01-02T00:00:00Z"`, "UPDATED_AT", page},
		{"guilds", ``, "TERRITORIES", page},
		{"guilds", ``, "MEMBERS", page},
		{"guilds", `uuids:["` + moss + `"]`, "NAME", page},
		{"guilds", `names:["mossbound COMPANY"]`, "NAME", page},
		{"guilds", `namePrefix:"m"`, "NAME", page},
		{"guilds", `prefix:"moss"`, "NAME", page},
		{"guilds", `level:{min:1}`, "LEVEL", page},
		{"guilds", `wars:{min:1}`, "WARS", page},
		{"guilds", `createdAt:{to:"` + now + `"}`, "CREATED_AT", page},
		{"guilds", `territories:{min:1}`, "TERRITORIES", page},
		{"guilds", `members:{min:1}`, "MEMBERS", page},
		{"guild(by:{prefix:\"MOSS\"}).members", ``, "CONTRIBUTION", known},
		{"guild(by:{prefix:\"MOSS\"}).members", ``, "RANK", known},
		{"guild(by:{prefix:\"MOSS\"}).members", ``, "JOINED_AT", known},
		{"guild(by:{prefix:\"MOSS\"}).members", ``, "PLAYTIME", known},
		{"guild(by:{prefix:\"MOSS\"}).members", ``, "WARS", known},
		{"guild(by:{prefix:\"MOSS\"}).members", `lastJoinedAt:{to:"` + now + `"}`, "LAST_JOINED_AT", known},
		{"guild(by:{prefix:\"MOSS\"}).members", ``, "LAST_JOINED_AT", known},
		{"guild(by:{prefix:\"MOSS\"}).members", ``, "USERNAME", known},
		{"guild(by:{prefix:\"MOSS\"}).members", `ranks:[OWNER]`, "RANK", known},
		{"guild(by:{prefix:\"MOSS\"}).members", `online:true`, "RANK", known},
		{"guild(by:{prefix:\"MOSS\"}).members", `contributed:{min:1}`, "RANK", known},
		{"guild(by:{prefix:\"MOSS\"}).members", `joinedAt:{to:"` + now + `"}`, "RANK", known},
		{"player(by:{username:\"Salted\"}).characters", ``, "UUID", page},
		{"player(by:{username:\"Salted\"}).characters", ``, "LEVEL", page},
		{"player(by:{username:\"Salted\"}).characters", ``, "TOTAL_LEVEL", page},
		{"player(by:{username:\"Salted\"}).characters", `classes:[MAGE]`, "UUID", page},
		{"player(by:{username:\"Salted\"}).characters", `gamemodes:[HUNTED]`, "UUID", page},
		{"player(by:{username:\"Salted\"}).characters", `level:{min:1}`, "UUID", page},
		{"player(by:{username:\"Salted\"}).characters", `withData:true`, "UUID", page},
	}
}

func (l indexedList) query(direction, end string) (query string, path []string) {
	parent, list, nested := strings.Cut(l.field, ".")
	if !nested {
		list = parent
	}
	arguments := fmt.Sprintf("orderBy:{field:%s,direction:%s},%s", l.order, direction, end)
	if l.filter != "" {
		arguments += ",filter:{" + l.filter + "}"
	}
	query = fmt.Sprintf("%s(%s){edges{cursor} pageInfo{hasNextPage endCursor}}", list, arguments)
	if !nested {
		return "{" + query + "}", []string{list}
	}
	name, _, _ := strings.Cut(parent, "(")
	return "{" + parent + "{" + query + "}}", []string{name, list}
}

// Every filter and every order of records is served by an index, by a few known records or from memory: no page scans a
// collection, and the second page reads as little as the first.
func TestListsUseIndexes(t *testing.T) {
	t.Parallel()
	w := newWorld(t, 700)
	lists := listsOfRecords()
	read := func(query string, path []string) (cursor string, scans, documents int64) {
		t.Helper()
		before := w.server.Stats()
		var data map[string]any
		w.ask(t, query, nil, &data)
		after := w.server.Stats()
		for _, name := range path {
			data, _ = data[name].(map[string]any)
		}
		if data == nil {
			t.Fatalf("%s: no list", query)
		}
		cursor, _ = data["pageInfo"].(map[string]any)["endCursor"].(string)
		return cursor, after.CollectionScans - before.CollectionScans, after.DocumentsExamined - before.DocumentsExamined
	}
	for _, l := range lists {
		for _, direction := range []string{"ASC", "DESC"} {
			query, path := l.query(direction, "first:5")
			cursor, _, _ := read(query, path) // what is in memory is loaded
			pages := []string{"first:5", "last:5"}
			if cursor != "" {
				pages = append(pages, `first:5,after:"`+cursor+`"`)
			}
			for _, end := range pages {
				query, path := l.query(direction, end)
				if _, scans, documents := read(query, path); scans > 0 || documents > l.documents {
					t.Errorf("%s scans %d collections and reads %d documents", query, scans, documents)
				}
			}
		}
	}
	types := w.exec.Schema().Types
	for list, prefix := range map[string]string{
		"players": "Player", "guilds": "Guild", "members": "GuildMember", "characters": "Character",
	} {
		for _, v := range types[prefix+"OrderField"].EnumValues {
			if !slices.ContainsFunc(lists, func(l indexedList) bool {
				return strings.HasSuffix(l.field, list) && l.order == v.Name
			}) {
				t.Errorf("the order %s of %s is not in the table", v.Name, list)
			}
		}
		for _, f := range types[prefix+"Filter"].Fields {
			if !slices.ContainsFunc(lists, func(l indexedList) bool {
				return strings.HasSuffix(l.field, list) && strings.Contains(l.filter, f.Name+":")
			}) {
				t.Errorf("the filter %s of %s is not in the table", f.Name, list)
			}
		}
	}
}
