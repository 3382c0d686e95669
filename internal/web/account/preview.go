package account

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"gamedata/graph"
	"gamedata/graph/model"
	"gamedata/graph/viewer"
	"gamedata/internal/web"
)

// preview holds the fields of a player that an observer sees.
type preview struct {
	Fields []field
	Hidden []hiddenFields
}

// hiddenFields lists the fields that a rule hides.
type hiddenFields struct {
	Rule   string // its title
	Scoped bool   // whether the scope of the same name grants access
	Names  []string
}

// field is a value of a response, in the order of the response.
type field struct {
	Name string // in words
	// Text is a scalar; empty for a list or an object.
	Text     string
	Children []field
	// HiddenBy are the titles of the rules that hide the value.
	HiddenBy []string
	key      string // its name in the response
}

// preview runs an operation about a player as an observer, so it shows exactly what they would get.
func (q *request) preview(ctx context.Context, p *model.Player, o observer) (preview, error) {
	ctx = viewer.With(ctx, o.viewer)
	response := q.pages.exec.Run(ctx, q.pages.operations["PlayerPreview"].Operation, map[string]any{"uuid": p.UUID})
	if len(response.Errors) > 0 {
		return preview{}, graph.ErrorOf(response.Errors[0])
	}
	out, err := readPreview(response.Data, response.Restrictions())
	if err != nil {
		return preview{}, err
	}
	out.addLocation(p, o)
	return out, nil
}

// addLocation adds the player's location. The operation lacks it, because the API shows it only to players nearby.
func (p *preview) addLocation(of *model.Player, o observer) {
	f := field{Name: "Location", Text: "–"}
	online := find(p.Fields, func(f field) bool { return f.key == "online" })
	switch {
	case online != nil && len(online.HiddenBy) > 0:
		f.HiddenBy = online.HiddenBy
		for i := range p.Hidden {
			if slices.Contains(f.HiddenBy, p.Hidden[i].Rule) {
				p.Hidden[i].Names = append(p.Hidden[i].Names, f.Name)
			}
		}
	case o.viewer.Is(viewer.Guest):
		f.Text = "only for friends, party and guild members on the same world"
	case of.Online && of.Location != nil:
		f.Text = fmt.Sprintf("%.0f, %.0f, %.0f", of.Location.X, of.Location.Y, of.Location.Z)
		if o.companion {
			f.Text += ", while on the same world"
		}
	}
	p.Fields = append(p.Fields, f)
}

// readPreview reads the visible fields from a response, and the hidden ones from its restrictions.
func readPreview(data []byte, restrictions []graph.Restriction) (preview, error) {
	var out preview
	hiddenBy := map[string][]string{}
	for _, r := range restrictions {
		path, title := strings.TrimPrefix(r.Path.String(), "player."), ruleTitle(r.Rule)
		hiddenBy[path] = append(hiddenBy[path], title)
		at := slices.IndexFunc(out.Hidden, func(h hiddenFields) bool { return h.Rule == title })
		if at < 0 {
			at = len(out.Hidden)
			out.Hidden = append(out.Hidden, hiddenFields{Rule: title, Scoped: r.Scope != nil})
		}
		if name := words(path[strings.LastIndexByte(path, '.')+1:]); !slices.Contains(out.Hidden[at].Names, name) {
			out.Hidden[at].Names = append(out.Hidden[at].Names, name)
		}
	}
	var body struct{ Player json.RawMessage }
	if err := json.Unmarshal(data, &body); err != nil {
		return out, err
	}
	dec := json.NewDecoder(bytes.NewReader(body.Player))
	dec.UseNumber()
	root, err := readField(dec, "", hiddenBy)
	out.Fields = root.Children
	return out, err
}

func ruleTitle(name string) string {
	for rule := range model.NumAccessRules {
		if rule.Info().Name == name {
			return rule.Info().Title
		}
	}
	return name
}

// fieldWords names the fields whose names web.Label cannot make readable.
var fieldWords = map[string]string{
	"uuid": "UUID", "pvp": "PvP", "totals": "Statistics",
	"activeCharacterUuid": "UUID of the active character", "ranking": "Positions on leaderboards",
	"previousRanking": "Positions of the day before", "guildMembership": "Guild", "guildHistory": "Former guilds",
}

func words(key string) string { return cmp.Or(fieldWords[key], web.Label(key)) }

func valueWords(key string, t json.Token) string {
	switch v := t.(type) {
	case nil:
		return "–"
	case bool:
		if v {
			return "yes"
		}
		return "no"
	case json.Number:
		if n, err := v.Int64(); err == nil {
			return web.Number(n)
		}
		return v.String()
	case string:
		if at, err := time.Parse(time.RFC3339, v); err == nil {
			return web.Moment(at)
		}
		if key == "type" || key == "stat" || v == strings.ToUpper(v) && strings.Contains(v, "_") {
			return web.Label(v)
		}
		return v
	}
	return fmt.Sprint(t)
}

func readField(dec *json.Decoder, path string, hiddenBy map[string][]string) (field, error) {
	key := path[strings.LastIndexByte(path, '.')+1:]
	out := field{HiddenBy: hiddenBy[strings.TrimPrefix(path, ".")], key: key}
	t, err := dec.Token()
	if err != nil {
		return out, err
	}
	open, nested := t.(json.Delim)
	if !nested {
		out.Text = valueWords(key, t)
		return out, nil
	}
	for i := 0; dec.More(); i++ {
		name, step := strconv.Itoa(i+1), fmt.Sprintf("[%d]", i)
		if open == '{' {
			key, err := dec.Token()
			if err != nil {
				return out, err
			}
			name, step = words(fmt.Sprint(key)), fmt.Sprintf(".%v", key)
		}
		child, err := readField(dec, path+step, hiddenBy)
		if err != nil {
			return out, err
		}
		child.Name = cmp.Or(child.Name, name)
		out.Children = append(out.Children, child)
	}
	if _, err := dec.Token(); err != nil {
		return out, err
	}
	out.simplify()
	return out, nil
}

// simplify names entries, and replaces an object of one field by that field.
func (f *field) simplify() {
	if len(f.Children) > 1 && strings.HasSuffix(f.key, "]") {
		switch first := f.Children[0]; first.key {
		case "name", "type", "stat", "guildName":
			f.Name, f.Children = first.Text, f.Children[1:]
		}
	}
	if len(f.Children) == 1 && (f.Children[0].key == "nodes" || strings.HasSuffix(f.key, "]")) {
		only := f.Children[0]
		f.Text, f.Children, f.HiddenBy = only.Text, only.Children, append(f.HiddenBy, only.HiddenBy...)
	}
	if f.Children == nil && f.Text == "" {
		f.Text = "none"
	}
}
