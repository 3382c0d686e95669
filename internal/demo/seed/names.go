package seed

import (
	"encoding/binary"
	"math/rand/v2"
	"strconv"
	"strings"

	"github.com/google/uuid"
)

// A username combines three parts of fixed length, so each number below nameSpace gives another name and no
// two players share one by accident.
const (
	vowels     = "aeiou"
	consonants = "bcdghjklmnqrstvwxyzp"
	codas      = "bdglmnrstvwz"
	nameParts  = 8
	nameSpace  = 100 * 100 * 120
)

var (
	onsets = strings.Fields("br bl dr fl fr gl gr pl pr sk sm sn st th tr sw dw kr vl zh")
	rimes  = strings.Fields("an el in or us ay ew ix om ud")
)

// Username returns the name of the ith player. The first eight letters are unique ignoring case; some names
// end in digits.
func Username(seed uint64, i int, r *rand.Rand) string {
	shape := source(seed, forNames, 0)
	// A stride prime to nameSpace visits every number before repeating one.
	stride := 60*shape.Uint64N(nameSpace/60) + 7
	n := int((uint64(i)*stride + shape.Uint64N(nameSpace)) % nameSpace)

	var b [nameParts + 3]byte
	name := append(b[:0], onsets[n%20]...)
	n /= 20
	name = append(name, vowels[n%5])
	n /= 5
	name = append(name, consonants[n%20])
	n /= 20
	name = append(name, vowels[n%5])
	n /= 5
	name = append(name, codas[n%12])
	n /= 12
	name = append(name, rimes[n%10]...)
	if !chance(r, 0.1) {
		name[0] -= 'a' - 'A'
	}
	if chance(r, 0.2) {
		name = strconv.AppendInt(name, int64(between(r, 10, 99)), 10)
	}
	return string(name)
}

func randomUUID(r *rand.Rand) string {
	var id uuid.UUID
	binary.LittleEndian.PutUint64(id[:8], r.Uint64())
	binary.LittleEndian.PutUint64(id[8:], r.Uint64())
	id[6] = id[6]&0x0f | 0x40
	id[8] = id[8]&0x3f | 0x80
	return id.String()
}
