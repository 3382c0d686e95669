package mongo

import (
	"bytes"
	"math"
	"reflect"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.mongodb.org/mongo-driver/v2/bson"

	"gamedata/graph/model"
)

// decodeSlowly decodes as the driver's cursors do.
func decodeSlowly(document bson.Raw, to any) error {
	d := bson.NewDecoder(bson.NewDocumentReader(bytes.NewReader(document)))
	d.UseJSONStructTags()
	return d.Decode(to)
}

type everyKind struct {
	ID      string `bson:"_id"`
	Text    *string
	N       int
	Big     int64          `json:"big"`
	F       *float64       `json:"f,omitempty"`
	Yes     bool           `json:"yes"`
	At      time.Time      `json:"at"`
	Maybe   *time.Time     `json:"maybe"`
	Names   []string       `json:"names"`
	Inner   inner          `json:"inner"`
	Pointer *inner         `json:"pointer"`
	List    []*inner       `json:"list"`
	Values  []inner        `json:"values"`
	Counts  map[string]int `json:"counts"`
	Nested  [][]int64      `json:"nested"`
	Bytes   []byte         `json:"bytes"`
	Markup  *model.Markup  `json:"markup"`
	Raw     bson.RawValue  `json:"raw"`
	Rules   model.AccessRules
	Hidden  string `json:"-"`
	Beside  inner  `json:"beside" bson:",inline"`
}

type inner struct {
	Key   string `json:"key"`
	Value *int64 `json:"value"`
}

// TestDecode compares plans with the driver for documents of all kinds.
func TestDecode(t *testing.T) {
	d := func(pairs ...any) bson.D {
		var out bson.D
		for i := 0; i < len(pairs); i += 2 {
			out = append(out, bson.E{Key: pairs[i].(string), Value: pairs[i+1]})
		}
		return out
	}
	in := d("key", "k", "value", int32(3))
	at := time.Date(2026, 3, 1, 2, 3, 4, 567e6, time.UTC)
	for name, document := range map[string]bson.D{
		"empty": {},
		"all": d("_id", "x", "text", "t", "n", 5, "big", int64(1)<<60, "f", 1.5, "yes", true, "at", at, "maybe", at,
			"names", []string{"a", ""}, "inner", in, "pointer", in, "list", bson.A{in, nil, in}, "values", bson.A{in, nil},
			"counts", d("a", 1, "b", nil), "nested", bson.A{bson.A{1, 2}, bson.A{}, nil}, "bytes", []byte("b"),
			"markup", "m", "raw", bson.A{1}, "rules", d("mainAccess", "private"), "-", "h", "hidden", "h", "key", "k",
			"value", int64(2)),
		"nulls": d("_id", nil, "text", nil, "n", nil, "big", nil, "f", nil, "yes", nil, "at", nil, "maybe", nil,
			"names", nil, "inner", nil, "pointer", nil, "list", nil, "values", nil, "counts", nil, "nested", nil, "bytes", nil,
			"markup", nil, "raw", nil, "rules", nil),
		"empty lists":      d("names", bson.A{}, "list", bson.A{}, "counts", d(), "bytes", []byte{}),
		"other order":      d("yes", true, "_id", "x", "names", bson.A{"a"}, "n", 1),
		"unknown fields":   d("unknown", in, "_id", "x", "also", bson.A{in}, "n", 1),
		"other case":       d("NAMES", bson.A{"a"}, "Text", "t", "inner", d("KEY", "k")),
		"repeated":         d("pointer", in, "pointer", d("key", "second"), "n", 1, "n", nil),
		"whole double":     d("n", 5.0, "big", -3.0),
		"integers":         d("f", int32(3), "big", int32(4), "n", int64(math.MaxInt64)),
		"fraction":         d("n", 1.5),
		"text for integer": d("n", "5"),
		"integer for text": d("text", 5),
		"text for list":    d("names", "a"),
		"text for struct":  d("inner", "a"),
		"bad rules":        d("rules", d("mainAccess", 5)),
		"unknown kinds":    d("_id", bson.NewObjectID(), "unknown", bson.Regex{Pattern: "a"}),
		"integer for time": d("at", int64(5)),
	} {
		t.Run(name, func(t *testing.T) {
			raw, err := bson.Marshal(document)
			if err != nil {
				t.Fatal(err)
			}
			compareDecoders[everyKind](t, raw)
			for n := range raw { // also when it is truncated or damaged
				compareDecoders[everyKind](t, raw[:n])
				damaged := bytes.Clone(raw)
				damaged[n] ^= 1
				compareDecoders[everyKind](t, damaged)
			}
		})
	}
}

// compareDecoders fails if a document decodes differently with the driver.
func compareDecoders[T any](t *testing.T, document bson.Raw) {
	t.Helper()
	var got, want T
	gotErr := decode(document, &got, func(to any) error { return decodeSlowly(document, to) })
	wantErr := decodeSlowly(document, &want)
	if (gotErr == nil) != (wantErr == nil) {
		t.Fatalf("%v: got error %v, the driver's is %v", []byte(document), gotErr, wantErr)
	}
	if wantErr != nil {
		return
	}
	if diff := cmp.Diff(want, got, cmp.Exporter(func(reflect.Type) bool { return true })); diff != "" {
		t.Fatalf("%v: %s", []byte(document), diff)
	}
}

// sampleRecord returns a stored player of usual size.
func sampleRecord(t testing.TB) bson.Raw {
	name, at, playtime := "a name", time.Now(), 12.5
	p := model.Player{
		UUID: "0a1b2c3d-0000-4000-8000-000000000001", Username: name, Rank: "Player", RankBadge: &name, Nickname: &name,
		LastJoinedAt: &at, FirstJoinedAt: &at, Playtime: &playtime, Rules: model.UniformAccessRules(model.Public),
		Guild: &model.GuildReference{
			UUID: "0a1b2c3d-0000-4000-8000-000000000002", Name: name, Prefix: "ABC", Rank: &name,
		},
		Totals: &model.PlayerTotals{Dungeons: &model.CountList{}, Raids: &model.CountList{}},
	}
	for n := range 30 {
		p.Ranking = append(p.Ranking, &model.RankPosition{Type: name, Position: n})
		p.PreviousRanking = append(p.PreviousRanking, &model.RankPosition{Type: name, Position: n})
		p.Totals.Dungeons.List = append(p.Totals.Dungeons.List, &model.NamedCount{Name: name, Count: int64(n)})
	}
	buf := new(bytes.Buffer)
	e := bson.NewEncoder(bson.NewDocumentWriter(buf))
	e.UseJSONStructTags()
	if err := e.Encode(p); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

// BenchmarkDecode decodes a player with a plan and with the driver.
func BenchmarkDecode(b *testing.B) {
	document := sampleRecord(b)
	for name, decode := range map[string]func(*model.Player) error{
		"plan":   func(p *model.Player) error { return decode(document, p, nil) },
		"driver": func(p *model.Player) error { return decodeSlowly(document, p) },
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(document)))
			for b.Loop() {
				if err := decode(new(model.Player)); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// Records as they are stored do not need the driver.
func TestDecodeStored(t *testing.T) {
	compareDecoders[model.Player](t, sampleRecord(t))
	needsDriver := func(any) error { t.Error("the driver is needed"); return nil }
	_ = decode(sampleRecord(t), new(model.Player), needsDriver)
	item, err := bson.Marshal(bson.D{
		{Key: "_id", Value: bson.NewObjectID()}, {Key: "internalName", Value: "x"}, {Key: "powderSlots", Value: 3},
	})
	if err != nil {
		t.Fatal(err)
	}
	compareDecoders[model.Item](t, item)
	_ = decode(item, new(model.Item), needsDriver)
}

func FuzzDecode(f *testing.F) {
	raw, err := bson.Marshal(bson.D{{Key: "names", Value: bson.A{"a"}}, {Key: "list", Value: bson.A{bson.D{}}}})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(raw)
	f.Add([]byte(sampleRecord(f)))
	f.Fuzz(func(t *testing.T, document []byte) {
		compareDecoders[everyKind](t, document)
		compareDecoders[model.Player](t, document)
	})
}
