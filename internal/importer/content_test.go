package importer_test

import (
	"encoding/json"
	"strings"
	"testing"

	"gamedata/graph/model"
	"gamedata/internal/importer"
	"gamedata/mongo"
	"gamedata/mongo/mongotest"
)

// A recording replaces the votes of a poll only when it may show them.
func TestImportKeepsHiddenVotes(t *testing.T) {
	store, _ := mongotest.Open(t)
	ctx := t.Context()
	known := &model.Article{Number: 41, Poll: &model.Poll{Votes: &model.PollVotes{Total: 7}}}
	mongotest.Must(t, mongo.Articles.Put(ctx, store, []*model.Article{known}))
	for _, c := range []struct {
		poll string
		want int64
	}{
		{`{"settings":[],"public":false,"votes":null}`, 7},
		{`{"settings":[],"public":true,"votes":{"total":9,"questions":[]}}`, 9},
	} {
		readAndApply(t, store, "article", `{"number":41,"title":"Later","poll":`+c.poll+`}`, nil)
		got := mongotest.Value(mongo.Articles.Read(ctx, store))(t)
		if len(got) != 1 || got[0].Title != "Later" || got[0].Poll.Votes == nil || got[0].Poll.Votes.Total != c.want {
			t.Errorf("%s: got votes %+v, want a total of %d", c.poll, got[0].Poll.Votes, c.want)
		}
	}
}

func TestReadRejectsUnknownTrees(t *testing.T) {
	for field, data := range map[string]string{"abilityTree": `{}`, "abilityMap": `[]`, "aspects": `{}`} {
		_, err := importer.Read(field, json.RawMessage(data), map[string]any{"tree": "bard"})
		if err == nil || !strings.Contains(err.Error(), `unknown tree "bard"; trees are archer, warrior`) {
			t.Errorf("%s: got error %v, want one that names the tree", field, err)
		}
	}
}

// An ability map whose tree is not stored is noted; it is not served without.
func TestImportNotesAMapWithoutItsTree(t *testing.T) {
	store, _ := mongotest.Open(t)
	ctx := t.Context()
	i := mongotest.Value(importer.Read("abilityMap", json.RawMessage(`[]`), map[string]any{"tree": "mage"}))(t)
	mongotest.Must(t, i.Apply(ctx, store))
	if note, err := i.Note(ctx, store); err != nil || !strings.Contains(note, "tree of mage") {
		t.Errorf("got note %q, %v", note, err)
	}
	mongotest.Must(t, mongo.AbilityTrees.Put(ctx, store, []*model.AbilityTree{{Key: "mage"}}))
	if note, err := i.Note(ctx, store); err != nil || note != "" {
		t.Errorf("with its tree: got note %q, %v", note, err)
	}
}
