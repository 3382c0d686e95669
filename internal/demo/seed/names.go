package seed

import (
	"strconv"
	"strings"

	"gamedata/internal/demo/dice"
)

// nameParts lists the parts of a username in order. All parts in a list have the same length, so each number below
// nameSpace gives a different name and no two players share one by accident.
var nameParts = [...][]string{
	strings.Fields("Br Bl Dr Fl Fr Gl Gr Pl Pr Sk Sm Sn St Th Tr Sw Dw Kr Vl Zh"), strings.Split("aeiou", ""),
	strings.Split("bcdghjklmnqrstvwxyzp", ""), strings.Split("aeiou", ""), strings.Split("bdglmnrstvwz", ""),
	strings.Fields("an el in or us ay ew ix om ud"),
}

const nameSpace = 20 * 5 * 20 * 5 * 12 * 10

// Username returns the name of the ith player. The first eight letters are unique ignoring case; some names end in
// digits.
func Username(seed uint64, i int, d dice.Dice) string {
	const stride = 725_071 // a prime, so that every number is visited before one repeats
	n := int((uint64(i)*stride + seed%nameSpace) % nameSpace)
	name := ""
	for _, part := range nameParts {
		name += part[n%len(part)]
		n /= len(part)
	}
	if d.Chance(0.1) {
		name = strings.ToLower(name)
	}
	if d.Chance(0.2) {
		name += strconv.Itoa(d.Between(10, 99))
	}
	return name
}
