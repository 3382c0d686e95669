package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// parse returns the types of a package of one file.
func parse(t *testing.T, text string) modelTypes {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "x.go"), []byte("package x\n"+text), 0o666); err != nil {
		t.Fatal(err)
	}
	types, err := parseModel(dir)
	if err != nil {
		t.Fatal(err)
	}
	return types
}

// wantLines checks that generated code has some lines.
func wantLines(t *testing.T, f *goFile, lines ...string) {
	t.Helper()
	for _, line := range lines {
		if !strings.Contains(f.String(), line+"\n") {
			t.Errorf("no line %s in\n%s", line, f.String())
		}
	}
}

func TestNodes(t *testing.T) {
	s, err := load(t, common+`
type Query { a: ApiToken b: Ability c: Article }
type ApiToken implements Node @node(key: "uuid") { uuid: ID! }
type Ability implements Node @node(key: "tree:key") { key: String! }
type Article implements Node @node(key: "pk") { pk: Int! }
`)
	if err != nil {
		t.Fatal(err)
	}
	var f goFile
	writeNodes(&f, s)
	writeInterfaces(&f, s, parse(t, "type Ability struct{}"))
	wantLines(t, &f,
		`func (*Ability) IsNode() {}`,
		`func (n *Ability) ID() string { return GlobalID("Ability", n.Tree + ":" + n.Key) }`,
		`func (n *APIToken) ID() string { return GlobalID("ApiToken", n.UUID) }`,
		`func (n *Article) ID() string { return GlobalID("Article", strconv.Itoa(n.Pk)) }`,
	)
	if strings.Contains(f.String(), "(*Article) IsNode") {
		t.Error("gqlgen marks the types that it declares as nodes")
	}
}

func TestEvents(t *testing.T) {
	s, err := load(t, common+`
type Query { e: Event }
interface Event { id: ID! }
interface PresenceEvent implements Event
interface GuildEvent implements Event
type CameOnline implements PresenceEvent & Event
type RaidFinished implements GuildEvent & Event
`)
	if err != nil {
		t.Fatal(err)
	}
	const structs = "type CameOnline struct {\nEventHead `retention:\"presence\"`\nPlayer string\n}\n" +
		"type RaidFinished struct {\nEventHead\nPlayers []string\n}\n"
	var f goFile
	secret := "type RulesChanged struct {\nEventHead `internal:\"true\"`\nPlayer string\n}\ntype Event struct { Head EventHead }"
	if err := writeEvents(&f, s, parse(t, structs+secret)); err != nil {
		t.Fatal(err)
	}
	wantLines(t, &f,
		`EventCameOnline EventType = "cameOnline"`,
		`{EventCameOnline, "CAME_ONLINE", func() EventData { return new(CameOnline) }, presenceRetention, false},`,
		`{EventRulesChanged, "RULES_CHANGED", func() EventData { return new(RulesChanged) }, EventRetention, true},`,
		`func (e *CameOnline) players() []string { return []string{e.Player} }`,
		`func (e *RaidFinished) players() []string { return e.Players }`,
	)
	if strings.Contains(f.String(), "RulesChanged) players") {
		t.Error("an internal event names players")
	}
	for _, text := range []string{
		"type Secret struct { EventHead }", "type CameOnline struct { EventHead `internal:\"true\"` }",
	} {
		wantError(t, writeEvents(&f, s, parse(t, text)), "either internal or a type of the schema")
	}
}
