package resolvers_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gamedata/graph"
	"gamedata/graph/model"
	"gamedata/internal/demo/seed"
	"gamedata/mongo"
)

// A stream has the same data as a whole response.
func TestStream(t *testing.T) {
	t.Parallel()
	w := newWorld(t, 45)
	const item = `__typename internalName typeText tier emblem requirements{level quest} identifications{key raw min max}
		majorIds{name text} lore dropMeta{name types position{x y z}}`
	for name, c := range map[string]struct {
		query    string
		streamed bool
	}{
		"items": {`{items(page:1,first:100000){pageNumbers{count} nodes{` + item + `}}}`, true},
		"nodes": {`{gatheringNodes(first:17000){totalCount nodes{type level position{x y z}}}}`, true},
		"none":  {`{items(filter:{query:["no such item"]}){nodes{` + item + `}}}`, true},
		"null":  {`{guild(by:{name:"no such guild"}){seasonResults{rating}}}`, true},
		// Access rules guard fields of players.
		"player": {`{player(by:{username:"Salted"}){globalData{dungeons{list{name count}}}}}`, false},
		// A resolver resolves a field of each element.
		"sets": {`{items(page:1,first:100){nodes{internalName sets{name}}}}`, false},
	} {
		t.Run(name, func(t *testing.T) {
			op, errs := w.exec.Parse(c.query, "")
			if errs != nil {
				t.Fatal(errs)
			}
			whole := w.exec.Run(t.Context(), op, nil)
			streamed := *op
			streamed.Stream = true
			r := w.exec.Run(t.Context(), &streamed, nil)
			if len(whole.Errors)+len(r.Errors) > 0 || (r.Stream != nil) != c.streamed {
				t.Fatal(whole.Errors, r.Errors, r.Stream)
			}
			if r.Stream == nil {
				if string(r.Data) != string(whole.Data) {
					t.Error(cmp.Diff(string(whole.Data), string(r.Data)))
				}
				return
			}
			field, _, _ := strings.Cut(string(whole.Data), ":")
			text := field + ":" + readStream(t, r.Stream) + "}"
			if text != string(whole.Data) {
				t.Error(cmp.Diff(string(whole.Data), text))
			}
		})
	}
	t.Run("value that only gqlgen writes", func(t *testing.T) {
		i := *seed.Items()[0]
		i.InternalName, i.AttackSpeed = "no such speed", new("no such speed")
		if err := mongo.Items.Put(t.Context(), w.store, []*model.Item{&i}); err != nil {
			t.Fatal(err)
		}
		op, errs := w.exec.Parse(`{items(page:1,first:100000){nodes{attackSpeed}}}`, "")
		if errs != nil {
			t.Fatal(errs)
		}
		streamed := *op
		streamed.Stream = true
		frames := w.exec.Run(t.Context(), &streamed, nil).Stream.Read()
		defer frames.Close()
		for {
			f, err := frames.Next()
			if errors.Is(err, graph.ErrNotStreamed) {
				return
			}
			if err != nil || len(f.Text) == 0 {
				t.Fatal(err)
			}
		}
	})
	t.Run("closed early", func(t *testing.T) {
		op, errs := w.exec.Parse(`{items(page:1,first:100000){nodes{`+item+`}}}`, "")
		if errs != nil {
			t.Fatal(errs)
		}
		streamed := *op
		streamed.Stream = true
		frames := w.exec.Run(t.Context(), &streamed, nil).Stream.Read()
		if f, err := frames.Next(); err != nil || f.Done <= 0 || f.Done >= 1 {
			t.Error(f.Done, err)
		}
		frames.Close() // goleak finds a writer that goes on
	})
}

func readStream(t *testing.T, s *graph.Stream) string {
	t.Helper()
	frames := s.Read()
	defer frames.Close()
	var out strings.Builder
	for {
		f, err := frames.Next()
		if err != nil {
			t.Fatal(err)
		}
		if len(f.Text) == 0 {
			return out.String()
		}
		out.Write(f.Text)
	}
}
