package resolvers

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"

	"gamedata/graph"
	"gamedata/graph/model"
	"gamedata/mongo"
	"gamedata/mongo/mongotest"
)

func letters(s string) []string { return strings.Split(s, "") }

func same(s string) string { return s }

// A list is read to its end and back, whatever the size of the pages.
func TestConnectWalks(t *testing.T) {
	list := letters("abcdefg")
	for size := 1; size <= 8; size++ {
		var forward, backward []string
		args := model.PageArgs{First: &size}
		for {
			c := mongotest.Value(connect(list, args, 20, same))(t)
			info := c.PageInfo()
			if info.HasPreviousPage != (len(forward) > 0) {
				t.Errorf("pages of %d: entries before %q: %v", size, c.Items, info.HasPreviousPage)
			}
			forward = append(forward, c.Nodes()...)
			if !info.HasNextPage {
				break
			}
			args.After = info.EndCursor
		}
		args = model.PageArgs{Last: &size}
		for {
			c := mongotest.Value(connect(list, args, 20, same))(t)
			backward = append(slices.Clone(c.Items), backward...)
			if !c.PageInfo().HasPreviousPage {
				break
			}
			args.Before = c.PageInfo().StartCursor
		}
		if !slices.Equal(forward, list) || !slices.Equal(backward, list) {
			t.Errorf("pages of %d: %q and back %q", size, forward, backward)
		}
	}
}

// A page begins after its cursor although entries came or went.
func TestConnectAfterChanges(t *testing.T) {
	c := mongotest.Value(connect(letters("abcdef"), model.PageArgs{First: new(3)}, 20, same))(t)
	cursor := c.Edges()[2].Cursor
	for list, want := range map[string]string{"abcdef": "de", "xyabcdef": "de", "bcdef": "de", "abdef": "de", "ab": ""} {
		c, err := connect(letters(list), model.PageArgs{First: new(2), After: &cursor}, 20, same)
		if err != nil || strings.Join(c.Items, "") != want {
			t.Errorf("%s: got %q, %v, want %q", list, c.Items, err, want)
		}
	}
}

func TestConnectByNumber(t *testing.T) {
	list := letters("abcdefg")
	for page, want := range map[int]string{1: "abc 3 1 3 <nil> 2", 3: "g 1 3 3 2 <nil>", 4: " 0 4 3 3 <nil>", 1 << 31: " 0 2147483648 3 3 <nil>"} {
		c := mongotest.Value(connect(list, model.PageArgs{Page: &page}, 3, same))(t)
		n := c.PageNumbers()
		show := func(p *int) string {
			if p == nil {
				return "<nil>"
			}
			return fmt.Sprint(*p)
		}
		got := fmt.Sprint(strings.Join(c.Items, ""), " ", n.CurrentCount, n.Current, n.Pages, " ", show(n.Prev), " ", show(n.Next))
		if got != want || n.Count != 7 {
			t.Errorf("page %d: got %q, want %q", page, got, want)
		}
	}
}

func TestPageArguments(t *testing.T) {
	of := func(list string, index int) *string {
		return new(cursor{List: list, Index: index, Position: mongo.Position{ID: "a"}}.encode())
	}
	cursor := of("string", 0)
	for name, args := range map[string]model.PageArgs{
		"first and last":   {First: new(1), Last: new(1)},
		"after and before": {After: cursor, Before: cursor},
		"last with after":  {Last: new(1), After: cursor},
		"first and before": {First: new(1), Before: cursor},
		"page and after":   {Page: new(1), After: cursor},
		"no base64":        {After: new("ä")},
		"empty cursor":     {After: new("")},
		"a foreign cursor": {After: new(model.EncodeCursor("x"))},
		"negative cursor":  {After: of("string", -1)},
		"huge cursor":      {After: of("string", math.MaxInt64)},
		"another list":     {After: of("*model.Guild", 0)},
	} {
		var e *graph.Error
		if _, err := connect(letters("abc"), args, 20, same); !errors.As(err, &e) || e.Code != graph.InvalidQueryParams {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

// A cursor comes from outside: no part of it can become an operator of a filter, or a key that no map finds again.
func TestForgedCursors(t *testing.T) {
	for name, value := range map[string]any{
		"operator": bson.D{{Key: "$ne", Value: 1}}, "array": bson.A{1}, "pattern": bson.Regex{Pattern: "."},
		"code": bson.JavaScript("1"), "not a number": math.NaN(),
	} {
		c := cursor{List: "guilds", Position: mongo.Position{ID: "x", Value: value}}
		if _, err := parseCursor(c.encode(), "guilds"); !errors.Is(err, errCursor) {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

// Both days of a span are included, also one that begins with its end.
func TestSpanBetween(t *testing.T) {
	at := func(text string) *time.Time {
		v := mongotest.Value(time.Parse("2006-01-02T15:04", text))(t)
		return &v
	}
	now := *at("2026-11-26T15:00")
	for _, c := range []struct{ from, to, begins, ends string }{
		{"2026-11-20T00:00", "2026-11-21T00:00", "2026-11-20T00:00", "2026-11-22T00:00"},
		{"2026-11-20T09:00", "2026-11-21T23:59", "2026-11-20T00:00", "2026-11-22T00:00"},
		{"2026-11-20T00:00", "2026-11-20T00:00", "2026-11-20T00:00", "2026-11-21T00:00"},
		{"2026-11-20T00:00", "2026-11-26T00:00", "2026-11-20T00:00", "2026-11-26T15:00"},
	} {
		s, err := spanBetween(model.DateTimeRange{From: at(c.from), To: at(c.to)}, now)
		if err != nil || !s.from.Equal(*at(c.begins)) || !s.to.Equal(*at(c.ends)) || s.running != s.to.Equal(now) {
			t.Errorf("%s to %s: got %+v, %v", c.from, c.to, s, err)
		}
	}
}
