// Package importer reads recorded /v3 bodies and writes their records to the store. rest turns a body
// back into the data of a GraphQL root field; Read checks that data, and Apply writes it.
package importer

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"gamedata/graph/model"
	"gamedata/internal/feed"
	"gamedata/mongo"
)

// Import is recorded data that Read has checked. Read does not touch the store: a caller can check all its files before
// the first write.
type Import struct {
	// Records is the number of records in it.
	Records int
	// Note, if not nil, returns a sentence about what the store still lacks to serve the records, or "".
	Note func(context.Context, *mongo.Store) (string, error)
	// Changes are sentences about access rules of stored players that Apply changed.
	Changes []string

	apply func(context.Context, *mongo.Store) error
}

// Apply writes the records and replaces those with the same keys.
func (i *Import) Apply(ctx context.Context, store *mongo.Store) error {
	return i.apply(mongo.FromPrimary(ctx), store)
}

// Read parses the GraphQL data of a root field. vars are the operation's variables in the recorded request.
func Read(rootField string, data json.RawMessage, vars map[string]any) (*Import, error) {
	read, ok := readers[rootField]
	if !ok {
		return nil, fmt.Errorf("such responses cannot be imported: %s",
			cmp.Or(notImported[rootField], "they contain no records of the game"))
	}
	return read(data, vars)
}

// variables are the variables of the operation that made a recording.
type variables = map[string]any

type reader func(json.RawMessage, variables) (*Import, error)

// readers maps root fields to readers: their responses contain whole records and are read as a whole.
var readers = map[string]reader{
	"itemMetadata": parsed(readItemMetadata),
	"abilityTree":  parsed(readAbilityTree),
	"abilityMap":   parsed(readAbilityMap),
	"aspects":      parsed(readAspects),
	"class":        parsed(one(mongo.Classes)),
	"player":       parsed(counted(readPlayer)),
	"guild":        parsed(counted(readGuild)),
	"guildSeasons": parsed(readSeasons),
	"article":      parsed(readArticle),
	"videos":       parsed(readVideos),
	"territories":  parsed(readTerritories),
	"worldEvents":  parsed(readWorldEvents),
	"lootPools":    parsed(readLootPools),
	"questSummary": parsed(one(mongo.QuestSummary)),
}

// notImported maps the other root fields to the reason why they have no reader.
var notImported = map[string]string{
	"onlinePlayers":   "they list who was online at the time",
	"whoami":          "they list who was online at the time",
	"guilds":          "they contain guild summaries only; import responses of /v3/guild/{query}",
	"playerLocations": "they list who was online at the time",
	"search":          "they contain search hits only",
	"articles": "they contain article summaries only; import responses of " +
		"/v3/publisher/articles/fetch/{article_type}/{pk}",
	"leaderboards": "the boards follow from the seasons and from the program",
	"leaderboard":  "positions are computed from players and guilds",
	"classes":      "they contain class summaries only; import responses of /v3/classes/{class_name}",
}

// keyed checks that the keys of records differ, and returns an import that stores them with write.
func keyed[T any](list []*T, key func(*T) any, write writer[T]) (*Import, error) {
	seen := make(map[any]bool, len(list))
	for n, record := range list {
		if record == nil {
			return nil, fmt.Errorf("entry %d is null", n+1)
		}
		switch k := key(record); {
		case k == "":
			return nil, fmt.Errorf("entry %d has an empty key", n+1)
		case seen[k]:
			return nil, fmt.Errorf("entry %d repeats the key %q", n+1, fmt.Sprint(k))
		default:
			seen[k] = true
		}
	}
	return whole(list, write), nil
}

type writer[T any] func(context.Context, *mongo.Store, []*T) error

func whole[T any](list []*T, write writer[T]) *Import {
	return &Import{Records: len(list), apply: func(ctx context.Context, store *mongo.Store) error {
		return write(ctx, store, list)
	}}
}

func records[T any](c mongo.Content[T], list []*T) (*Import, error) {
	if c.Key == nil {
		return whole(list, c.Put), nil
	}
	return keyed(list, c.Key, c.Put)
}

// one returns a read of one record of content.
func one[T any](c mongo.Content[T]) func(*T, variables) (*Import, error) {
	return func(record *T, _ variables) (*Import, error) { return records(c, []*T{record}) }
}

// nodes decodes the data of a connection.
type nodes[T any] struct {
	Nodes []*T `json:"nodes"`
}

// parsed returns a reader that unmarshals the data and passes it to read for checking.
func parsed[T any](read func(*T, variables) (*Import, error)) reader {
	return func(data json.RawMessage, vars variables) (*Import, error) {
		var value T
		if err := json.Unmarshal(data, &value); err != nil {
			return nil, err
		}
		if err := feed.CheckNumbers(&value, true); err != nil {
			return nil, err
		}
		return read(&value, vars)
	}
}

// counted adds a check of the record's counters to read.
func counted[T any](read func(*T, variables) (*Import, error)) func(*T, variables) (*Import, error) {
	return func(value *T, vars variables) (*Import, error) {
		if err := feed.CheckNumbers(value, false); err != nil {
			return nil, err
		}
		return read(value, vars)
	}
}

// exact rejects a time with fractions of a millisecond, which the store would truncate.
func exact(field string, t *time.Time) error {
	if t != nil && t.Nanosecond()%int(time.Millisecond) != 0 {
		return errors.New(field + " is finer than a millisecond, the store's precision")
	}
	return nil
}

// checkUUID returns an error unless text is a uuid in canonical form.
func checkUUID(field, text string) error {
	if uuid, ok := model.ParseUUID(text); !ok || uuid != text {
		return fmt.Errorf("%s: %q is not a uuid in lower case with dashes", field, text)
	}
	return nil
}
