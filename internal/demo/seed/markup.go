package seed

import "gamedata/graph/model"

// The pieces of rendered markup. Texts composed of them are balanced.
const (
	gray  = "#AAAAAA"
	dark  = "#555555"
	white = "#FFFFFF"
	aqua  = "#55FFFF"
	gold  = "#FFAA00"
	red   = "#FF5555"
	green = "#55FF55"
	brk   = "</br>"
)

func styled(style, text string) string {
	return "<span class='font-ascii' style='" + style + "'>" + text + "</span>"
}

func span(colour, text string) string { return styled("color:"+colour, text) } //nolint:misspell // CSS
func bold(text string) string         { return styled("font-weight:bolder", text) }
func underlined(text string) string   { return styled("text-decoration: underline", text) }
func indented(text string) string     { return styled("margin-left: 28px", text) }

// glyph returns an icon: one private-use code point.
func glyph(r rune) string { return "<span class='font-common'>" + string(r) + "</span>" }

func craftGlyph(sign string) string { return "<span class='font-profession'>" + sign + "</span>" }

func lines(texts ...string) []model.Markup {
	out := make([]model.Markup, len(texts))
	for i, t := range texts {
		out[i] = model.Markup(t)
	}
	return out
}

// picture returns an icon of the attribute form.
func picture(id, name string, data int64) *model.Icon {
	return &model.Icon{Format: "attribute", Model: &model.IconModel{
		ItemID: "game:" + id, Name: name, CustomModelData: &model.CustomModelData{RangeDispatch: []int64{data}},
	}}
}

// named adds the sibling name to an icon, as sprites and archetypes have it.
func named(icon *model.Icon, name string) *model.Icon {
	icon.Name = &name
	return icon
}
