package web

import (
	"html/template"

	"gamedata/graph/model"
)

var bannerColours = map[string]string{
	"WHITE": "#f4f6f5", "ORANGE": "#f08030", "MAGENTA": "#c050b8", "LIGHT_BLUE": "#58b4e0", "YELLOW": "#f6d040",
	"LIME": "#86c83a", "PINK": "#f09ab4", "GRAY": "#566066", "SILVER": "#a2aaa8", "LIGHT_GRAY": "#a2aaa8",
	"CYAN": "#1f98a0", "PURPLE": "#8442b4", "BLUE": "#3c50b0", "BROWN": "#86582e", "GREEN": "#5e8024", "RED": "#b8342c",
	"BLACK": "#22262a",
}

// bannerPatterns are the shapes of patterns on a cloth of 20 × 40, as paths.
var bannerPatterns = map[string]string{
	"BORDER": "M0 0h20v40H0zM3 3v34h14V3z",
	"BRICKS": "M0 0h9v4H0zM11 0h9v4h-9zM0 6h4v4H0zM6 6h8v4H6zM16 6h4v4h-4zM0 12h9v4H0zM11 12h9v4h-9z" +
		"M0 18h4v4H0zM6 18h8v4H6zM16 18h4v4h-4zM0 24h9v4H0zM11 24h9v4h-9zM0 30h4v4H0zM6 30h8v4H6z" +
		"M16 30h4v4h-4zM0 36h9v4H0zM11 36h9v4h-9z",
	"CIRCLE_MIDDLE": "M10 14a6 6 0 1 1 0 12 6 6 0 0 1 0-12z",
	"CROSS":         "M0 0h4l6 14L16 0h4L12 20l8 20h-4l-6-14-6 14H0l8-20z",
	"CURLY_BORDER": "M0 0h20v40H0zM4 2 2 5l2 3-2 4 2 4-2 4 2 4-2 4 2 4-2 4" +
		"h16l-2-4 2-4-2-4 2-4-2-4 2-4-2-4 2-4-2-3z",
	"DIAGONAL_LEFT":         "M0 0h20L0 40z",
	"DIAGONAL_LEFT_MIRROR":  "M0 0l20 40H0z",
	"DIAGONAL_RIGHT":        "M20 0v40H0z",
	"DIAGONAL_RIGHT_MIRROR": "M0 0h20v40z",
	"FLOWER": "M10 12l2 4 4-2-2 4 4 2-4 2 2 4-4-2-2 4-2-4-4 2 2-4-4-2 4-2-2-4 4 2z" +
		"M10 18a2 2 0 1 0 0 4 2 2 0 0 0 0-4z",
	"HALF_HORIZONTAL":        "M0 0h20v20H0z",
	"HALF_HORIZONTAL_MIRROR": "M0 20h20v20H0z",
	"HALF_VERTICAL":          "M0 0h10v40H0z",
	"HALF_VERTICAL_MIRROR":   "M10 0h10v40H10z",
	"RHOMBUS_MIDDLE":         "M10 10l7 10-7 10-7-10z",
	"SKULL":                  "M5 12h10v8h-2v4H7v-4H5zM7 15v2h2v-2zM11 15v2h2v-2zM4 26h12v2H4z",
	"SQUARE_BOTTOM_LEFT":     "M0 28h8v12H0z",
	"SQUARE_BOTTOM_RIGHT":    "M12 28h8v12h-8z",
	"SQUARE_TOP_LEFT":        "M0 0h8v12H0z",
	"SQUARE_TOP_RIGHT":       "M12 0h8v12h-8z",
	"STRAIGHT_CROSS":         "M8 0h4v18h8v4h-8v18H8V22H0v-4h8z",
	"STRIPE_BOTTOM":          "M0 28h20v12H0z",
	"STRIPE_CENTER":          "M7 0h6v40H7z", //nolint:misspell // a name of the game
	"STRIPE_DOWNLEFT":        "M15 0h5v10L5 40H0V30z",
	"STRIPE_DOWNRIGHT":       "M0 0h5l15 30v10h-5L0 10z",
	"STRIPE_LEFT":            "M0 0h6v40H0z",
	"STRIPE_MIDDLE":          "M0 16h20v8H0z",
	"STRIPE_RIGHT":           "M14 0h6v40h-6z",
	"STRIPE_SMALL":           "M1 0h3v40H1zM6 0h3v40H6zM11 0h3v40h-3zM16 0h3v40h-3z",
	"STRIPE_TOP":             "M0 0h20v12H0z",
	"TRIANGLE_BOTTOM":        "M10 20l10 20H0z",
	"TRIANGLE_TOP":           "M0 0h20L10 20z",
	"TRIANGLES_BOTTOM":       "M0 40l3.4-7 3.3 7 3.3-7 3.3 7 3.4-7 3.3 7z",
	"TRIANGLES_TOP":          "M0 0l3.4 7 3.3-7 3.3 7 3.3-7 3.4 7L20 0z",
	"GRADIENT":               "M0 0h20v6H0zM0 8h20v4H0zM0 15h20v3H0zM0 22h20v2H0zM0 30h20v1H0z",
	"GRADIENT_UP":            "M0 34h20v6H0zM0 28h20v4H0zM0 22h20v3H0zM0 16h20v2H0zM0 9h20v1H0z",
	"GLOBE":                  "M10 12a8 8 0 1 1 0 16 8 8 0 0 1 0-16zM10 14v12M5 17h10v2H5z",
}

// BannerDrawing returns the cloth of a guild's banner and its layers. A pattern or colour that has no drawing is left
// out.
func BannerDrawing(b *model.Banner) Drawing {
	base, ok := bannerColours[b.Base]
	if !ok {
		base = bannerColours["WHITE"]
	}
	out := Drawing{Width: 20, Height: 40, Shapes: []Shape{{Fill: base, Path: "M0 0h20v40H0z"}}}
	for _, layer := range b.Layers {
		colour, path := bannerColours[layer.Colour], bannerPatterns[layer.Pattern]
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
