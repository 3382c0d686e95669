// Package loaders batches reads of the store. A Set lives for one operation: what its
// resolvers ask for on one level goes to the store as one command, and nothing is asked
// for twice. Behind the sets the process keeps records for a short time, for all operations of
// both doors, and content, which is small and read whole and checked against the store's
// versions once per operation. Loaders return raw records: who may see what is decided by
// resolvers.
package loaders

import (
	"context"
	"log/slog"
	"time"

	"gamedata/graph/model"
	"gamedata/mongo"
)

const (
	// shortWait is how long a batch stays open for more keys of its level.
	shortWait = time.Millisecond
	// capacity bounds the keys of one command.
	capacity = 1000
)

// Source is what all sets of a process share: the store and what the process keeps of it.
type Source struct {
	store       *mongo.Store
	content     families
	territories *territories
	records     *Records
	wait        time.Duration
	batch       func(ctx context.Context, loader string, keys int) (context.Context, func(error))
}

// Options of a source.
type Options struct {
	// Now tells the time that decides how old a copy is; time.Now when nil.
	Now func() time.Time
	// Log is told when an older copy has to be served; slog.Default() when nil.
	Log *slog.Logger
	// Wait is how long a batch stays open for more keys of its level; a millisecond when 0.
	// Tests that count commands wait longer, so that no key comes too late.
	Wait time.Duration
	// Records keep what is read for other operations; nil keeps none.
	Records *Records
	// Batch is told of every batch that begins, by the name of its loader, and returns the
	// context it runs in and what is to be told of its end; nil is told of none.
	Batch func(ctx context.Context, loader string, keys int) (context.Context, func(error))
}

// New returns the source of loader sets for a store.
func New(store *mongo.Store, o Options) *Source {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Log == nil {
		o.Log = slog.Default()
	}
	if o.Wait == 0 {
		o.Wait = shortWait
	}
	return &Source{
		store: store, content: newFamilies(store), territories: newTerritories(store, o.Now, o.Log),
		records: o.Records, wait: o.Wait, batch: o.Batch,
	}
}

// Set is the loaders of one operation.
type Set struct {
	// PlayerByUUID loads a player; nil when none has the uuid.
	PlayerByUUID *Loader[string, *model.Player]
	// PlayersByName loads the players who share a name, case ignored.
	PlayersByName *Loader[string, []*model.Player]
	// OnlineAt loads the online players who joined from an address.
	OnlineAt *Loader[string, []*model.Player]
	// CharacterByUUID loads a character; nil when none has the uuid.
	CharacterByUUID *Loader[string, *model.Character]
	// CharactersByOwner loads the characters of a player by the player's uuid.
	CharactersByOwner *Loader[string, []*model.Character]

	// GuildByUUID loads a guild; nil when none has the uuid.
	GuildByUUID *Loader[string, *model.Guild]
	// PlayersByParty loads the members of a party by the party's id.
	PlayersByParty *Loader[string, []*model.Player]
	// GuildByName loads a guild by its name, case ignored; nil when none has it.
	GuildByName *Loader[string, *model.Guild]
	// GuildsByPrefix loads the guilds that share a tag, case ignored.
	GuildsByPrefix *Loader[string, []*model.Guild]
	// PlayersByGuild loads the members of a guild by the guild's uuid.
	PlayersByGuild *Loader[string, []*model.Player]

	directory *Loader[string, *mongo.Directory]
	boardPage *Loader[int64, []byte]

	// AccountByID loads an account; nil when none has the id.
	AccountByID *Loader[string, *model.Account]
	// ApplicationByID loads an application; nil when none has the client id.
	ApplicationByID *Loader[string, *model.Application]
	// UsageOf loads what a credential was used for by its id.
	UsageOf *Loader[string, *model.Usage]

	source      *Source
	versions    func() (map[string]int64, error)
	territories func() (*Territories, error)
	allowed     Allowance
	read        trail
}

type contextKey struct{}

// Attach gives an operation's context its own fresh set.
func (s *Source) Attach(ctx context.Context) context.Context {
	return context.WithValue(ctx, contextKey{}, s.newSet(ctx))
}

// From returns the set of the operation.
func From(ctx context.Context) *Set {
	set, _ := ctx.Value(contextKey{}).(*Set)
	return set
}

// Spend adds the time of one command of the store to the operation it was for, if any.
func Spend(ctx context.Context, took time.Duration) {
	if set := From(ctx); set != nil {
		set.read.store.Add(int64(took))
	}
}

// told tells of the batches of one loader; nil when nobody wants to know.
func (s *Source) told(loader string) func(ctx context.Context, keys int) (context.Context, func(error)) {
	if s.batch == nil {
		return nil
	}
	return func(ctx context.Context, keys int) (context.Context, func(error)) { return s.batch(ctx, loader, keys) }
}
