package web

import (
	"cmp"
	"encoding/json"
	"html/template"
	"sync"

	"gamedata/graph/model"
)

// bannerShapes holds the colours of banners, and the paths of their patterns on a cloth of 20 × 40.
var bannerShapes = sync.OnceValue(func() (out struct{ Colours, Patterns map[string]string }) {
	text, err := assets.ReadFile("banners.json")
	if err == nil {
		err = json.Unmarshal(text, &out)
	}
	if err != nil {
		panic(err) // the file is part of the program
	}
	return out
})

// BannerDrawing draws the cloth and the layers of a guild's banner. It leaves out unknown patterns and colours.
func BannerDrawing(b *model.Banner) Drawing {
	shapes := bannerShapes()
	base := cmp.Or(shapes.Colours[b.Base], shapes.Colours["WHITE"])
	out := Drawing{Width: 20, Height: 40, Shapes: []Shape{{Fill: base, Path: "M0 0h20v40H0z"}}}
	for _, layer := range b.Layers {
		colour, path := shapes.Colours[layer.Colour], shapes.Patterns[layer.Pattern]
		if colour != "" && path != "" {
			out.Shapes = append(out.Shapes, Shape{Fill: colour, Path: path})
		}
	}
	return out
}

func drawBanner(b *model.Banner) template.HTML {
	if b == nil {
		return ""
	}
	return BannerDrawing(b).svg("banner")
}
