package loaders

import (
	"hash/maphash"
	"sync"

	"gamedata/graph/model"
	"gamedata/internal/cache"
)

// rulesRoom is how many players' rules one half of the memory holds.
const rulesRoom = 50_000

// rulesSeen remembers what decides who may see a player, as it was last read. When a record
// comes with something else, answers made before show what they may not show any more: they
// are purged, and no failure of the store brings them back.
//
// It is bounded: two generations, of which the older one is dropped when the younger is full.
type rulesSeen struct {
	mu         sync.Mutex
	young, old map[string]uint64
}

var hashSeed = maphash.MakeSeed()

func (s *rulesSeen) see(p *model.Player, purges *cache.Invalidations) {
	now := audienceOf(p)
	s.mu.Lock()
	before, known := s.young[p.UUID]
	if !known {
		before, known = s.old[p.UUID]
		if s.young == nil || len(s.young) >= rulesRoom {
			s.old, s.young = s.young, map[string]uint64{}
		}
	}
	s.young[p.UUID] = now
	s.mu.Unlock()
	if known && before != now {
		purges.Purge(playerTag + ":" + p.UUID)
	}
}

// audienceOf is a hash of a player's rules, and of whom they let pass where a rule asks for
// friends or the guild.
func audienceOf(p *model.Player) uint64 {
	var h maphash.Hash
	h.SetSeed(hashSeed)
	friends, guild := false, false
	for _, rule := range p.Rules {
		switch rule {
		case "":
			rule = model.Public
		case model.Friend:
			friends = true
		case model.GuildOnly:
			guild = true
		case model.GuildAndFriends, model.GuildOrFriends:
			friends, guild = true, true
		}
		h.WriteString(string(rule) + ",")
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
