package feed_test

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"testing"

	"gamedata/graph/model"
	"gamedata/internal/feed"
	"gamedata/mongo/mongotest"
)

// set gives every number of a value the largest one of its range, or one that is far larger. It reports whether there
// are any.
func set(v reflect.Value, beyond bool) (found bool) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			if name := v.Type().Field(i).Name; v.Type().Field(i).IsExported() && name != "XPPercent" && name != "Season" {
				found = set(v.Field(i), beyond) || found
			}
		}
	case reflect.Slice:
		for i := range v.Len() {
			found = set(v.Index(i), beyond) || found
		}
	case reflect.Pointer:
		return !v.IsNil() && set(v.Elem(), beyond)
	case reflect.Map:
		for _, key := range v.MapKeys() {
			if v.Type().Elem().Kind() == reflect.Int64 {
				v.SetMapIndex(key, reflect.ValueOf(int64(math.MaxInt64)))
			}
		}
	case reflect.Int:
		v.SetInt(map[bool]int64{false: model.MaxLevel, true: 3_000_000_000}[beyond])
	case reflect.Int64:
		v.SetInt(map[bool]int64{false: model.MaxCounter, true: math.MaxInt64}[beyond])
	case reflect.Float64:
		v.SetFloat(map[bool]float64{false: model.MaxCounter, true: 1.7e308}[beyond])
	default:
		return false
	}
	return v.Kind() != reflect.Map && v.Kind() != reflect.Struct && v.Kind() != reflect.Slice || found
}

// No event takes a number of a record out of its range, however large it and the record are.
func TestSumsHaveAnEnd(t *testing.T) {
	for _, k := range feed.Events {
		t.Run(k.Name, func(t *testing.T) {
			store, _ := mongotest.Open(t)
			g := newGame()
			records := []any{g.salted, g.brindle, g.okapi, g.dusk, g.brin, g.bare, g.moss, g.row, g.land[0], g.land[1]}
			for _, r := range records {
				set(reflect.ValueOf(r), false)
			}
			g.store(t, store)
			events := example(t, k.Name)
			e := events[len(events)-1]
			numbers := set(reflect.ValueOf(e), true)
			set(reflect.ValueOf(e), true)
			if outcome := try(t, store, events...)[len(events)-1]; numbers {
				var wrong *feed.Error
				if err := error(outcome.Err); !errors.As(err, &wrong) || wrong.Code != feed.Invalid {
					t.Errorf("numbers beyond the range: %v", outcome.Err)
				}
			}
			set(reflect.ValueOf(e), false)
			for range 2 {
				try(t, store, e)
			}
			after := readGame(t, store)
			for _, r := range []any{
				after.salted, after.brindle, after.okapi, after.dusk, after.brin, after.bare, after.moss, after.row, &after.land,
			} {
				if err := feed.CheckNumbers(r, false); err != nil {
					t.Errorf("%T: %v", r, err)
				}
			}
		})
	}
}

// A number that is too large is rejected with its field and the limit.
func TestNumbersBeyondTheRange(t *testing.T) {
	const character, moss = `{"character": "00000000-0000-4000-8000-000000000101", `,
		`{"guild": "00000000-0000-4000-8000-000000000051", `
	for _, c := range []struct{ event, fields, want string }{
		{
			"CharacterGained", character + `"mobsKilled": 9223372036854775807}`,
			"mobsKilled is 9223372036854775807; the limit is 9007199254740991",
		},
		{"CharacterGained", character + `"level": 3000000000}`, "level is 3000000000; the limit is 2147483647"},
		{"CharacterGained", character + `"hours": 1.7e308}`, "hours is 1.7e+308; the limit is 9007199254740991"},
		{"GuildProgressed", moss + `"level": 2147483648, "xpPercent": 0}`, "level is 2147483648; the limit is 2147483647"},
	} {
		t.Run(fmt.Sprint(c.event, c.fields), func(t *testing.T) {
			store, _ := mongotest.Open(t)
			storeGame(t, store)
			if err := try(t, store, decode(t, c.event, c.fields))[0].Err; err == nil || err.Message != c.want {
				t.Errorf("got %v, want %s", err, c.want)
			}
		})
	}
}

// An empty element of a list, such as null in JSON, makes an event invalid at most: the batch goes on.
func TestEmptyElements(t *testing.T) {
	for _, k := range feed.Events {
		e := example(t, k.Name)[0]
		fields := reflect.ValueOf(e).Elem()
		for i := range fields.NumField() {
			if list := fields.Field(i); list.Kind() == reflect.Slice && list.Len() > 0 {
				list.Index(0).SetZero()
				store, _ := mongotest.Open(t)
				storeGame(t, store)
				if outcome := try(t, store, e)[0]; outcome.Err != nil && outcome.Err.Code != feed.Invalid {
					t.Errorf("%s: %v", k.Name, outcome.Err)
				}
			}
		}
	}
}
