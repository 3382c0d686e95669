package loaders

import (
	"hash/maphash"

	lru "github.com/hashicorp/golang-lru/v2"

	"gamedata/graph/model"
	"gamedata/internal/cache"
)

// trackedPlayers is how many players' rules are tracked; the least recently read are dropped.
const trackedPlayers = 100_000

// ruleTracker remembers by a hash who may see each player, as last read. If a record is read with other rules, cached
// responses may show what is hidden now: they are invalidated, so that they are not served as stale ones either.
type ruleTracker struct {
	hashes        *lru.Cache[string, uint64]
	invalidations *cache.Invalidations
}

func newRuleTracker(invalidations *cache.Invalidations) *ruleTracker {
	hashes, _ := lru.New[string, uint64](trackedPlayers) // fails only for a size below 1
	return &ruleTracker{hashes, invalidations}
}

func (t *ruleTracker) observe(p *model.Player) {
	hash := visibilityHash(p)
	before, known := t.hashes.Get(p.UUID)
	t.hashes.Add(p.UUID, hash)
	if known && before != hash {
		t.invalidations.Purge(playerTag + ":" + p.UUID)
	}
}

var hashSeed = maphash.MakeSeed()

// visibilityHash hashes a player's rules, and friends and guild if a rule depends on them.
func visibilityHash(p *model.Player) uint64 {
	var h maphash.Hash
	h.SetSeed(hashSeed)
	friends, guild := false, false
	for _, value := range p.Rules {
		switch value {
		case "":
			value = model.Public
		case model.Friend:
			friends = true
		case model.GuildOnly:
			guild = true
		case model.GuildAndFriends, model.GuildOrFriends:
			friends, guild = true, true
		}
		h.WriteString(string(value) + ",")
	}
	if guild && p.Guild != nil {
		h.WriteString(p.Guild.UUID)
	}
	if friends {
		for _, friend := range p.Friends {
			h.WriteString("," + friend)
		}
	}
	return h.Sum64()
}
