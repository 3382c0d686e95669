package seed_test

import (
	"slices"
	"testing"
)

// Friends are mutual, parties are on one world, and players on a world have a location.
func TestCompany(t *testing.T) {
	byUUID := map[string]person{}
	for _, p := range sample() {
		byUUID[p.UUID] = p
	}
	friends, worlds, sizes := 0, map[string]string{}, map[string]int{}
	for i, p := range sample() {
		for n, f := range p.Friends {
			other, ok := byUUID[f]
			if !ok || f == p.UUID || !slices.Contains(other.Friends, p.UUID) || slices.Contains(p.Friends[:n], f) {
				t.Errorf("player %d: friend %s, known %v", i, f, ok)
			}
			friends++
		}
		if (p.Location != nil) != (p.ActiveCharacter != nil) {
			t.Errorf("player %d plays %v at %v", i, p.ActiveCharacter, p.Location)
		}
		if p.Party == "" {
			continue
		}
		if p.World == nil || worlds[p.Party] != "" && worlds[p.Party] != *p.World {
			t.Errorf("player %d on %v is in a party on %s", i, p.World, worlds[p.Party])
			continue
		}
		worlds[p.Party] = *p.World
		sizes[p.Party]++
	}
	together := 0
	for _, n := range sizes {
		if n > 1 {
			together++
		}
		if n > 20 {
			t.Errorf("a party of %d", n)
		}
	}
	if friends < len(sample()) || together < 10 {
		t.Errorf("%d friends, %d parties of two or more", friends, together)
	}
}
