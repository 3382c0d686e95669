package mongo

import (
	"reflect"
	"testing"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"

	"gamedata/graph/model"
)

// An update has only what differs, also within a part of a record.
func TestUpdatesAreSmall(t *testing.T) {
	data := func(mobs int64, pvp *model.PvpStats) *model.PlayerTotals {
		return &model.PlayerTotals{MobsKilled: mobs, Pvp: pvp}
	}
	fights := &model.PvpStats{}
	for _, c := range []struct {
		name          string
		before, after model.Player
		want          bson.D
	}{
		{"the same", model.Player{Totals: data(1, nil)}, model.Player{Totals: data(1, nil)}, nil},
		{
			"parts",
			model.Player{Totals: data(1, nil)},
			model.Player{Totals: data(2, fights)},
			bson.D{{Key: "$set", Value: bson.D{
				{Key: "globalData.mobsKilled", Value: int64(2)}, {Key: "globalData.pvp", Value: fights},
			}}},
		},
		{
			"new",
			model.Player{},
			model.Player{Totals: data(2, nil)},
			bson.D{{Key: "$set", Value: bson.D{{Key: "globalData", Value: data(2, nil)}}}},
		},
		{
			"removed",
			model.Player{Totals: data(2, nil)},
			model.Player{},
			bson.D{{Key: "$set", Value: bson.D{{Key: "globalData", Value: (*model.PlayerTotals)(nil)}}}},
		},
		{
			"left out",
			model.Player{Membership: &model.Membership{}},
			model.Player{},
			bson.D{{Key: "$unset", Value: bson.D{{Key: "membership", Value: ""}}}},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := recordTypeOf[model.Player]()
			got := r.update(r.changed(&c.before, &c.after), &c.before, &c.after, false, time.Now())
			if !reflect.DeepEqual(got, c.want) {
				t.Errorf("got %v, want %v", got, c.want)
			}
		})
	}
}

// Parts are named as they are stored.
func TestPartsAreStoredFields(t *testing.T) {
	check := func(name string, fields []storedField, of reflect.Type) {
		for _, f := range fields {
			if f.parts == nil {
				continue
			}
			part := of.Field(f.index).Type.Elem()
			stored, err := encode(reflect.New(part).Interface())
			if err != nil {
				t.Fatal(err)
			}
			elements, err := stored.Elements()
			if err != nil {
				t.Fatal(err)
			}
			parts := map[string]bool{}
			for _, p := range f.parts {
				parts[p.name] = true
			}
			for _, e := range elements {
				if !parts[e.Key()] {
					t.Errorf("%s.%s: %s is stored, which is no part", name, f.name, e.Key())
				}
			}
		}
	}
	check("player", recordTypeOf[model.Player]().fields, reflect.TypeFor[model.Player]())
	check("character", recordTypeOf[model.Character]().fields, reflect.TypeFor[model.Character]())
	check("guild", recordTypeOf[model.Guild]().fields, reflect.TypeFor[model.Guild]())
	check("territory", recordTypeOf[model.Territory]().fields, reflect.TypeFor[model.Territory]())
	check("item", recordTypeOf[model.Item]().fields, reflect.TypeFor[model.Item]())
}
