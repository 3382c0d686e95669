package graph_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gamedata/graph"
)

// mirrors selects the fields of the types of all fields of all types.
const mirrors = `{__schema{types{...a}}} fragment a on __Type{fields{type{...b ofType{...b ofType{ofType{...b}}}}}}
 fragment b on __Type{fields{type{...c ofType{...c ofType{ofType{...c}}}}}} fragment c on __Type{kind name
 description specifiedByURL isOneOf enumValues{name}}`

// oneTypeFields are selected on two object types: an entry has one, so only one of them counts.
const oneTypeFields = `character{dungeons{list{name count}} raids{list{name count}}
 abilities{page elements{meta{abilityKey}}} class{tree{pages{page}}}}`

func board(entries string) string {
	return `query($n:Int=1000){leaderboard(by:{type:"guildLevel"}){entries(first:$n){nodes{` + entries + `}}}}`
}

// unit returns an executor whose rate-limit unit is one field, so that charges are costs.
func unit() *graph.Executor {
	limits := graph.DefaultLimits()
	limits.UnitFields, limits.PageSize, limits.Cost = 1, 30, 10_000_000
	return executor(graph.Options{Limits: limits})
}

func TestChargesFollowSelectionsAndVariables(t *testing.T) {
	const entries, entry, character, guild, members = 500, 20, 30, 10, 1000 // @reads
	e := unit()
	for _, c := range []struct {
		name, query, variables string
		want                   int
	}{
		{"a field", `{questSummary{quests}}`, ``, 2},
		{"list length in the query", `{nodes(ids:["a","b","c"]){id}}`, ``, 4},
		{"list length in a variable", `query($n:[ID!]!){nodes(ids:$n){id}}`, `{"n":["a","b","c","d"]}`, 5},
		{
			"list length in several variables", `query($a:ID! $b:ID!){nodes(ids:[$a,$b]){id}}`, `{"a":"x","b":"y"}`,
			3,
		},
		{"one value is a list", `query($n:[ID!]!){nodes(ids:$n){id}}`, `{"n":"a"}`, 2},
		{"first in the query", `{leaderboard(by:{type:"x"}){entries(first:7){nodes{position name}}}}`, ``, 3 + entries + 7*(entry+2)},
		{
			"first in a variable", `query($n:Int!){leaderboard(by:{type:"x"}){entries(first:$n){nodes{position name}}}}`, `{"n":900}`,
			3 + entries + 900*(entry+2),
		},
		{
			"first in a variable's default", `query($n:Int=50){leaderboard(by:{type:"x"}){entries(first:$n){nodes{position name}}}}`,
			``,
			3 + entries + 50*(entry+2),
		},
		{"no first", `{leaderboard(by:{type:"x"}){entries{nodes{position name}}}}`, ``, 3 + entries + 30*(entry+2)},
		{"a field that reads", `{territories(first:3){nodes{captures(first:2){nodes{at}}}}}`, ``, 2 + 3*(2+2+200)},
		{"another list at its side", `{leaderboard(by:{type:"x"}){entries(first:7){nodes{position}} type}}`, ``, 4 + entries + 7*(entry+1)},
		{
			"through a fragment", `{leaderboard(by:{type:"x"}){a:entries(first:7){...f} b:entries(first:9){...f}}}
 fragment f on LeaderboardEntryConnection{nodes{...g}} fragment g on LeaderboardEntry{position name}`, ``,
			5 + 2*entries + (7+9)*(entry+2),
		},
		{"a list below the one it is of", `{leaderboard(by:{type:"x"}){entries(first:3){nodes{...on
 GamemodeEntry{character{raids{list{name}}}}}}}}`, ``, 3 + entries + 3*(entry+character+3+20)},
		{"the argument of a list", `{guild(by:{name:"x"}){members(first:5){nodes{username}}}}`, ``, 3 + guild + members + 5},
		{"a page of members", `{guild(by:{name:"x"}){members{nodes{username}}}}`, ``, 3 + guild + members + 30},
		{"a page", `{items{nodes{emblem}}}`, ``, 2 + 30},
		{"all items", `{items(first:100000){nodes{emblem}}}`, ``, 2 + 6000},
		{"all items by a variable", `query($f:Int!){items(first:$f){nodes{emblem}}}`, `{"f":100000}`, 2 + 6000},
		{"a page by a variable", `query($f:Int=100000){items(first:$f){nodes{emblem}}}`, `{"f":3}`, 2 + 3},
		{
			"skipped", `query($s:Boolean!){questSummary{quests} items(first:100000) @skip(if:$s){nodes{emblem}}}`,
			`{"s":true}`, 2,
		},
		{
			"not skipped", `query($s:Boolean!){questSummary{quests} items(first:100000) @skip(if:$s){nodes{emblem}}}`,
			`{"s":false}`, 2 + 2 + 6000,
		},
		{"not included", `query($i:Boolean=false){questSummary{quests ...@include(if:$i){special:quests}
 ...f @include(if:$i)}} fragment f on QuestSummary{storyline:quests}`, ``, 2},
		{"one of several types", board("name ... on GamemodeEntry{" + oneTypeFields + "} " +
			"... on CharacterEntry{" + oneTypeFields +
			"}"), `{"n":1}`, 3 + entries + entry + 1 + character + 1 + 2*(2+2*20) + (1 + 20*(2+20*2)) + (3 + 20)},
		{"one type twice", board("... on GamemodeEntry{level:position} ... on GamemodeEntry{position}"), `{"n":10}`, 3 + entries + 10*(entry+2)},
		{
			"an invalid value is rejected later", `query($n:Int!){leaderboard(by:{type:"x"}){entries(first:$n){nodes{position}}}}`,
			`{"n":"many"}`, 3 + entries + 30*(entry+1),
		},
		{
			"a number above the maximum is rejected later",
			`{leaderboard(by:{type:"x"}){entries(first:2000000000){nodes{position}}}}`, ``,
			3 + entries + 1000*(entry+1),
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := 0
			for _, units := range charges(t, e, c.query, c.variables) {
				got += units
			}
			if got != c.want {
				t.Errorf("cost: got %d, want %d", got, c.want)
			}
		})
	}
}

func charges(t *testing.T, e *graph.Executor, query, variables string) map[string]int {
	t.Helper()
	op, errs := e.Parse(query, "")
	if errs != nil {
		t.Fatal(errs)
	}
	charges, err := e.Charges(op, variablesOf(t, variables))
	if err != nil {
		t.Fatal(err)
	}
	return charges
}

func variablesOf(t *testing.T, text string) map[string]any {
	t.Helper()
	var v map[string]any
	if text != "" {
		d := json.NewDecoder(strings.NewReader(text))
		d.UseNumber()
		if err := d.Decode(&v); err != nil {
			t.Fatal(err)
		}
	}
	return v
}

func TestChargesByBucket(t *testing.T) {
	e := executor(graph.Options{})
	for _, c := range []struct {
		name, query string
		want        map[string]int
	}{
		{
			"each field", `{classes{id} player(by:{username:"a"}){uuid} b:player(by:{username:"b"}){uuid}
 gatheringNodes(first:17000){nodes{type}}}`,
			map[string]int{"SHARED": 1, "PLAYER": 2, "MAP": 2},
		},
		{"one key is one field", `{classes{id} classes{name} ...{classes{id}}}`, map[string]int{"SHARED": 1}},
		{"fragments are followed", `{...f ...f} fragment f on Query{a:classes{id} ...{b:classes{id} ...g}}
 fragment g on Query{questSummary{quests}}`, map[string]int{"SHARED": 2, "MAP": 1}},
		{"all items, one field each", `{items(first:100000){nodes{internalName}}}`, map[string]int{"ITEMS": 1}},
		{
			"all items, six fields each", `{items(first:100000){nodes{internalName displayName emblem durability identified powderSlots}}}`,
			map[string]int{"ITEMS": 3},
		},
		{
			"all items, one long alias", `{items(first:100000){nodes{` + strings.Repeat("a", 128) + `:internalName}}}`,
			map[string]int{"ITEMS": 2},
		},
		{
			"all items, one usual alias", `{items(first:100000){nodes{` + strings.Repeat("a", 32) + `:internalName}}}`,
			map[string]int{"ITEMS": 1},
		},
		{"the schema", console, map[string]int{"SHARED": 15}},
		{
			"nine aliases of the types",
			"{" + times(9, "a%i:__schema{types{name fields{name type{name kind ofType{name kind}}}}}") + "}",
			map[string]int{"SHARED": 54},
		},
		{"one type of it", `{__type(name:"Item"){fields{name}}}`, map[string]int{"SHARED": 1}},
		{"nothing but its name", `{__typename}`, map[string]int{"SHARED": 1}},
		{"its name beside a field", `{__typename questSummary{quests}}`, map[string]int{"MAP": 1}},
		{"everything skipped", `{classes @skip(if:true){id}}`, map[string]int{"SHARED": 1}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, charges(t, e, c.query, "")); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// The error names the limit, the requested and the allowed number.
func TestChargesRejectExpensiveOperations(t *testing.T) {
	e := executor(graph.Options{})
	for _, c := range []struct {
		name, query, variables string
		ok                     bool
	}{
		{
			"all abilities of classes of classes", "{classes{tree{pages{abilities{name}} class{tree{pages{abilities{name}}}}}}}",
			"", true,
		},
		{"recipes of items of sets", "{itemSets(first:100){nodes{parts{recipes{materials{item{recipes{sprites{icon{" +
			"format}}}}}}}}}}", "", false},
		{"entries", board("name " + "...on GamemodeEntry{character{class{tree{pages{abilities{id}}}}}}"), "", true},
		{
			"fewer", board("name " + "...on GamemodeEntry{character{class{tree{pages{abilities{id slot}}}}}}"), `{"n":800}`,
			true,
		},
		{
			"too many", board("name " + "...on GamemodeEntry{character{class{tree{pages{abilities{id slot}}}}}}"), `{"n":1000}`,
			false,
		},
		{"a long list", "{a:gatheringNodes(first:17000){nodes{position{x y z} angle type resource level}} " +
			"b:gatheringNodes(first:17000){nodes{position{x y z} angle type resource level}}}", "", true},
		{"a long list too often", "{" + times(7, "a%i:gatheringNodes(first:17000){nodes{position{x y z} "+
			"angle type resource level}} ") + "}", "", false},
		{"every guild", "{guilds(first:20000){nodes{name level wars headquarters{name}}}}", "", true},
		{"every member of every guild", "{guilds(first:20000){nodes{members(first:100){nodes{username}}}}}", "", false},
		{
			"some of every guild", "query($n:Int!){guilds(first:20000){nodes{members(first:$n){nodes{username}}}}}", `{"n":30}`,
			false,
		},
		{"territories of territories", "{territories(first:400){nodes{links{links{links{name}}}}}}", "", false},
		{
			"everyone online with every raid", "{onlinePlayers(first:1000){nodes{player{characters{nodes{raids{list{name " +
				"count}}}}}}}}", "",
			false,
		},
		{"nested introspection", mirrors, "", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			op, errs := e.Parse(c.query, "")
			if errs != nil {
				t.Fatal(errs)
			}
			charges, err := e.Charges(op, variablesOf(t, c.variables))
			if c.ok {
				if err != nil {
					t.Error(err)
				}
				return
			}
			if err == nil {
				t.Fatalf("accepted with charges %v", charges)
			}
			requested, _ := err.Extensions["requested"].(int)
			if graph.ErrorOf(err).Code != graph.LimitExceeded || err.Extensions["limit"] != "cost" || requested <= 750_000 ||
				err.Extensions["allowed"] != 750_000 || !strings.Contains(err.Message, "750000") {
				t.Errorf("got error %v %v", err, err.Extensions)
			}
		})
	}
}
