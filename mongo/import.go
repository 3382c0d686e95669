package mongo

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"gamedata/graph/model"
)

// Import is recorded data that was read and checked and waits to be written. Reading
// touches no store, so that nothing is written unless all of it can be.
type Import struct {
	// Records is how many records it holds.
	Records int

	apply func(context.Context, *Store) error
}

// Apply writes the records of an import, replacing those with the same keys.
func (s *Store) Apply(ctx context.Context, i *Import) error { return i.apply(ctx, s) }

// ReadImport reads the GraphQL data of one root field, as an operation gives it when it is
// run backwards over a recorded body, with the variables the recording was asked with.
func ReadImport(rootField string, data json.RawMessage, vars map[string]any) (*Import, error) {
	read, ok := readers[rootField]
	if !ok {
		return nil, fmt.Errorf("answers of %s are not imported: %s", rootField, reasons[rootField])
	}
	return read(data, vars)
}

// readers are the root fields whose answers hold whole records.
var readers = map[string]func(json.RawMessage, map[string]any) (*Import, error){
	"itemDatabase":       readItemPage,
	"itemSearch":         readItemPage,
	"itemsByName":        readItemList,
	"recipeDatabase":     readRecipePage,
	"recipeSearch":       readRecipePage,
	"itemSets":           readItemSets,
	"itemMetadata":       readMetadata,
	"abilityTree":        readAbilityTree,
	"abilityMap":         readAbilityMap,
	"aspects":            readAspects,
	"class":              readClass,
	"player":             readPlayer,
	"character":          readCharacter,
	"characterAbilities": readAbilities,
	"guild":              readGuild,
	"guildByPrefix":      readGuild,
	"guildByUuid":        readGuild,
	"guildSeasons":       readSeasons,
	"article":            readArticle,
	"videos":             readVideos,
	"latestNews":         readLatestNews,
	"territories":        readTerritories,
	"mapMarkers":         ordered((*Store).PutMapMarkers),
	"gatheringNodes":     ordered((*Store).PutGatheringNodes),
	"worldEvents":        readWorldEvents,
	"camps":              readLoot("camps", false),
	"raids":              readLoot("raids", false),
	"lootPools":          readLoot("lootPools", true),
	"questSummary":       readQuestSummary,
}

// reasons say why the other root fields have no reader.
var reasons = map[string]string{
	"onlinePlayers":    "they say who was online, which is over",
	"whoami":           "they say who was online, which is over",
	"guilds":           "they hold guilds in short only; import Guild",
	"playerLocations":  "they say who was online, which is over",
	"playerCharacters": "they hold characters in short only; import Player with fullResult, or Character",
	"search":           "they hold what a text found, not the whole of anything",
	"articles":         "they hold the heads of articles only; import Article",
	"leaderboardTypes": "they name boards, which seasons and the program make",
	"leaderboard":      "positions are computed from players and guilds",
	"classes":          "they hold classes in short only; import Class",
}

// simple is an import of records that one Put writes.
func simple[T any](list []*T, key func(*T) string, write func(*Store, context.Context, []*T) error) (*Import, error) {
	seen := make(map[string]bool, len(list))
	for n, record := range list {
		if record == nil {
			return nil, fmt.Errorf("entry %d is null", n+1)
		}
		if k := key(record); k == "" {
			return nil, fmt.Errorf("entry %d has an empty key", n+1)
		} else if seen[k] {
			return nil, fmt.Errorf("entry %d has the key %q of an entry before it", n+1, k)
		} else {
			seen[k] = true
		}
	}
	return &Import{Records: len(list), apply: func(ctx context.Context, s *Store) error { return write(s, ctx, list) }},
		nil
}

func decode[T any](data json.RawMessage) (*T, error) {
	value := new(T)
	if err := json.Unmarshal(data, value); err != nil {
		return nil, err
	}
	return value, nil
}

func importItems(list []*model.Item) (*Import, error) {
	return simple(list, func(i *model.Item) string { return i.InternalName }, (*Store).PutItems)
}

func readItemPage(data json.RawMessage, _ map[string]any) (*Import, error) {
	page, err := decode[model.ItemPage](data)
	if err != nil {
		return nil, err
	}
	return importItems(page.Results)
}

func readItemList(data json.RawMessage, _ map[string]any) (*Import, error) {
	list, err := decode[[]*model.Item](data)
	if err != nil {
		return nil, err
	}
	return importItems(*list)
}

func readRecipePage(data json.RawMessage, _ map[string]any) (*Import, error) {
	page, err := decode[model.RecipePage](data)
	if err != nil {
		return nil, err
	}
	return simple(page.Results, func(r *model.Recipe) string { return r.InternalName }, (*Store).PutRecipes)
}

func readItemSets(data json.RawMessage, _ map[string]any) (*Import, error) {
	list, err := decode[[]*model.ItemSet](data)
	if err != nil {
		return nil, err
	}
	return simple(*list, func(s *model.ItemSet) string { return s.Name }, (*Store).PutSets)
}

func readMetadata(data json.RawMessage, _ map[string]any) (*Import, error) {
	m, err := decode[model.ItemMetadata](data)
	if err != nil {
		return nil, err
	}
	entries := m.Static
	for _, g := range m.Groups {
		entries = append(entries, g.Entries...)
	}
	numbers, keys := map[string]int{}, map[int]string{}
	for _, e := range entries {
		if n, ok := numbers[e.Key]; ok && n != e.Number {
			return nil, fmt.Errorf("the key %q has two numbers", e.Key)
		}
		if k, ok := keys[e.Number]; ok && k != e.Key {
			return nil, fmt.Errorf("the keys %q and %q share a number", k, e.Key)
		}
		numbers[e.Key], keys[e.Number] = e.Number, e.Key
	}
	return &Import{Records: len(numbers), apply: func(ctx context.Context, s *Store) error {
		return s.PutLookupNumbers(ctx, numbers)
	}}, nil
}

// classOf is the class a recording was asked for.
func classOf(vars map[string]any, name string) (string, error) {
	class, _ := vars[name].(string)
	if class == "" {
		return "", fmt.Errorf("the body does not say which class it is of: give %s", name)
	}
	return strings.ToLower(class), nil
}

func readAbilityTree(data json.RawMessage, vars map[string]any) (*Import, error) {
	t, err := decode[model.AbilityTree](data)
	if err != nil {
		return nil, err
	}
	if t.Tree, err = classOf(vars, "tree"); err != nil {
		return nil, err
	}
	return simple([]*model.AbilityTree{t}, func(t *model.AbilityTree) string { return t.Tree }, (*Store).PutAbilityTrees)
}

func readAbilityMap(data json.RawMessage, vars map[string]any) (*Import, error) {
	pages, err := decode[[]*model.AbilityMapPage](data)
	if err != nil {
		return nil, err
	}
	class, err := classOf(vars, "tree")
	if err != nil {
		return nil, err
	}
	m := &model.AbilityMap{Tree: class, Pages: *pages}
	return simple([]*model.AbilityMap{m}, func(m *model.AbilityMap) string { return m.Tree }, (*Store).PutAbilityMaps)
}

func readAspects(data json.RawMessage, vars map[string]any) (*Import, error) {
	list, err := decode[[]*model.Aspect](data)
	if err != nil {
		return nil, err
	}
	class, err := classOf(vars, "tree")
	if err != nil {
		return nil, err
	}
	a := &model.AspectList{Tree: class, Aspects: *list}
	i, err := simple([]*model.AspectList{a}, func(a *model.AspectList) string { return a.Tree }, (*Store).PutAspectLists)
	if err == nil {
		i.Records = len(*list)
	}
	return i, err
}

func readClass(data json.RawMessage, _ map[string]any) (*Import, error) {
	c, err := decode[model.Class](data)
	if err != nil {
		return nil, err
	}
	return simple([]*model.Class{c}, func(c *model.Class) string { return c.ID }, (*Store).PutClasses)
}

// exact refuses a moment that the store would shorten: it keeps milliseconds.
func exact(field string, t *time.Time) error {
	if t != nil && t.Nanosecond()%int(time.Millisecond) != 0 {
		return errors.New(field + " is finer than a millisecond, which the store cannot keep")
	}
	return nil
}
