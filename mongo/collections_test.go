package mongo_test

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"gamedata/mongo"
)

var update = flag.Bool("update", false, "rewrite docs/collections.md")

// docs/collections.md is generated from the table; -update rewrites it.
func TestCollectionDocs(t *testing.T) {
	const path = "../docs/collections.md"
	want := collectionDocs()
	if *update {
		check(t, os.WriteFile(path, []byte(want), 0o644))
	}
	got := must(os.ReadFile(path))(t)
	if string(got) != want {
		t.Errorf("%s is out of date: run go test ./mongo -run TestCollectionDocs -update", path)
	}
}

func collectionDocs() string {
	var b strings.Builder
	b.WriteString(`# Collections

Generated from ` + "`mongo.Collections`" + `; do not edit.

*Content* is small and read whole; every instance caches it until it is purged. *Export* says whether
` + "`gamedata export`" + ` writes the collection. *Import* lists the GraphQL root fields whose recorded responses
` + "`gamedata import`" + ` stores in it. An index is unique where noted; ` + "`-`" + ` marks a descending field; *TTL*
indexes expire records. [What to write for each event of a game](feeding.md#without-http) lists the derived fields.

| collection | contains | key | indexes | content | export | import |
|---|---|---|---|---|---|---|
`)
	code := func(s string) string { return "`" + s + "`" }
	for _, c := range mongo.Collections {
		key, indexes, content, imported := "_id", []string{}, "", []string{}
		if c.Key != "" {
			key = c.Key
		}
		for _, ix := range c.Indexes {
			text := code(strings.Join(ix.Fields, ", "))
			switch {
			case ix.Unique:
				text += " unique"
			case ix.Expires:
				text += " TTL"
			case ix.Exists != "":
				text += " if " + code(ix.Exists) + " exists"
			case ix.True != "":
				text += " if " + code(ix.True)
			}
			indexes = append(indexes, text)
		}
		if c.Content {
			content = "yes"
		}
		for _, f := range c.ImportedFrom {
			imported = append(imported, code(f))
		}
		export := map[mongo.Export]string{
			mongo.Private: "no", mongo.GameData: "yes", mongo.Derived: "yes", mongo.Leaderboard: "yes, under the lease",
		}[c.Export]
		if c.Withheld != "" {
			export += ", without " + code(c.Withheld)
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s | %s | %s |\n", code(c.Name), c.Description, code(key),
			strings.Join(indexes, "; "), content, export, strings.Join(imported, ", "))
	}
	return b.String()
}
