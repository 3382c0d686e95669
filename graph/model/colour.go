package model

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
)

// guildColours lists the colours for guilds that hold territories. Most colour-blind people can distinguish them, and
// each is visible on the light and the dark map.
var guildColours = strings.Fields("#00bda8 #21b5ff #0f5986 #0085cc #0043d9 #7b81ff #6f49f0 #b3b0e9 #7e6297 #9313ba " +
	"#c16ecb #a4006d #e32998 #ff95c0 #c80000 #cc7f6e #fa3600 #894000 #ffa000 #8e8241 #b2bb7f #25c823 #136137 #00895c")

// Colour returns the guild's colour as #rrggbb: the stored colour, or else the colour derived from its uuid.
func (g *Guild) Colour() string {
	if g.StoredColour != "" {
		return g.StoredColour
	}
	return UUIDColour(g.UUID)
}

// UUIDHash returns FNV-1a of the hexadecimal digits of a uuid.
func UUIDHash(uuid string) uint32 {
	h := uint32(2166136261)
	for _, c := range []byte(strings.ToLower(strings.ReplaceAll(uuid, "-", ""))) {
		h = (h ^ uint32(c)) * 16777619
	}
	return h
}

// MixBits spreads the bits of a hash, so that similar uuids give different values.
func MixBits(h uint32) uint32 {
	h = (h ^ h>>16) * 0x85ebca6b
	h = (h ^ h>>13) * 0xc2b2ae35
	return h ^ h>>16
}

// UUIDColour derives a colour #rrggbb from a uuid. The colour is dark enough to be seen on white and light enough to be
// seen on black.
func UUIDColour(uuid string) string {
	h := MixBits(UUIDHash(uuid))
	return HSL(float64(h%360), 0.48+float64(h>>9%24)/100, 0.46+float64(h>>17%12)/100)
}

// HSL converts a hue in degrees, a saturation and a lightness to #rrggbb.
func HSL(hue, saturation, lightness float64) string {
	a := saturation * min(lightness, 1-lightness)
	part := func(n float64) int {
		k := math.Mod(n+hue/30, 12)
		return int(math.Floor(255*(lightness-a*max(-1, min(k-3, 9-k, 1))) + 0.5))
	}
	return fmt.Sprintf("#%02x%02x%02x", part(0), part(8), part(4))
}

// wish weighs a colour's distance from the guild's own uuid colour against its distance from neighbours' colours.
const wish = 0.1

// ColoursOfHolders chooses colours, by uuid, for guilds that hold territories but have no colour. stored holds the
// colours of the other guilds. While unused colours last, each guild gets one, as different as possible from the
// colours of guilds in linked territories. Guilds with many territories choose first.
func ColoursOfHolders(territories []*Territory, stored map[string]string) map[string]string {
	held, neighbours := TerritoryCounts(territories), map[string]map[string]bool{}
	holder := map[string]string{} // by territory
	for _, t := range territories {
		if uuid := t.GuildUUID(); uuid != nil {
			holder[t.Name], neighbours[*uuid] = *uuid, map[string]bool{}
		}
	}
	for _, t := range territories {
		for _, name := range t.LinkNames {
			if a, b := holder[t.Name], holder[name]; a != "" && b != "" && a != b {
				neighbours[a][b], neighbours[b][a] = true, true
			}
		}
	}
	all, chosen := map[string]string{}, map[string]string{}
	maps.Copy(all, stored)
	for _, uuid := range slices.SortedFunc(maps.Keys(held), func(a, b string) int {
		return cmp.Or(held[b]-held[a], strings.Compare(a, b))
	}) {
		if stored[uuid] == "" {
			chosen[uuid] = chooseColour(UUIDColour(uuid), all, neighbours[uuid])
			all[uuid] = chosen[uuid]
		}
	}
	return chosen
}

// chooseColour returns the best of the guildColours for a guild with the uuid colour own.
func chooseColour(own string, others map[string]string, neighbours map[string]bool) string {
	best, highest := "", math.Inf(-1)
	for _, colour := range guildColours {
		nearest, taken := 1.0, 0.0
		for uuid, other := range others {
			if neighbours[uuid] {
				nearest = min(nearest, ColourDistance(colour, other))
			}
			if other == colour {
				taken = 1
			}
		}
		if score := nearest - taken - wish*ColourDistance(colour, own); score > highest {
			best, highest = colour, score
		}
	}
	return best
}

// ColourDistance returns how different two colours #rrggbb look: their distance in OKLab, where black and white are 1
// apart. It is the smaller of the distances for most people and for people without green cones.
func ColourDistance(a, b string) float64 {
	p, q := linearRGB(a), linearRGB(b)
	return min(distance(oklab(p), oklab(q)), distance(oklab(deuteranopia(p)), oklab(deuteranopia(q))))
}

// linearRGB converts #rrggbb to amounts of red, green and blue light, 0 to 1.
func linearRGB(colour string) (out [3]float64) {
	bits, err := strconv.ParseUint(strings.TrimPrefix(colour, "#"), 16, 24)
	if err != nil {
		return out
	}
	for i := range out {
		v := float64(bits>>(16-8*i)&0xff) / 255
		out[i] = v / 12.92
		if v > 0.04045 {
			out[i] = math.Pow((v+0.055)/1.055, 2.4)
		}
	}
	return out
}

// oklab converts light to OKLab (Ottosson, 2020).
func oklab(c [3]float64) [3]float64 {
	l := math.Cbrt(0.4122214708*c[0] + 0.5363325363*c[1] + 0.0514459929*c[2])
	m := math.Cbrt(0.2119034982*c[0] + 0.6806995451*c[1] + 0.1073969566*c[2])
	s := math.Cbrt(0.0883024619*c[0] + 0.2817188376*c[1] + 0.6299787005*c[2])
	return [3]float64{
		0.2104542553*l + 0.7936177850*m - 0.0040720468*s,
		1.9779984951*l - 2.4285922050*m + 0.4505937099*s,
		0.0259040371*l + 0.7827717662*m - 0.8086757660*s,
	}
}

// deuteranopia converts light to what people without green cones see (Viénot, 1999).
func deuteranopia(c [3]float64) [3]float64 {
	yellow := 0.29275*c[0] + 0.70725*c[1]
	return [3]float64{yellow, yellow, c[2] - 0.02234*(c[0]-c[1])}
}

func distance(a, b [3]float64) float64 {
	return math.Sqrt((a[0]-b[0])*(a[0]-b[0]) + (a[1]-b[1])*(a[1]-b[1]) + (a[2]-b[2])*(a[2]-b[2]))
}
