package main

// recordsTemplate generates graph/model/records_gen.go.
const recordsTemplate = `package model

// PlayerCounters are the counters of players: those with a history first, in the order of the metrics.
var PlayerCounters = []Counter{
{{- range .Counters}}
	{
		Name: "{{.Stored}}", Path: "{{.Path}}", Label: "{{.Label}}",
		{{- with .GoMetric}} Metric: {{.}},{{end}}
		{{- if .IsList}}
		List: func(g *PlayerTotals) **CountList { return &g.{{.Name}} },
		{{- if .SumType}}
		ListOf: func(c *Character) *CountList { return c.{{.Sum}} },
		{{- end}}
		{{- else}}
		Number: func(g *PlayerTotals) *int64 { return &g.{{.Name}} },
		NumberOf: func(c *Character) int64 { return {{.SumValue}} },
		{{- end}}
	},
{{- end}}
}

// CharacterCounters returns the counters of a character.
func CharacterCounters(c *Character) []**int64 {
	return []**int64{ {{range .CharacterCounters}}&c.{{.Name}}, {{end}} }
}

// Gains are what a character's counters gain by playing.
type Gains struct {
{{- range .Gains}}
	{{.Name}} int64 ` + "`json:\"{{.Shown}},omitzero\"`" + `
{{- end}}
}

// AddTo adds the gains to the counters of a character.
func (g *Gains) AddTo(c *Character) {
{{- range .Gains}}
	Add(&c.{{.Name}}, g.{{.Name}})
{{- end}}
}

{{range .Settings}}
// {{.Name}} are fields of a player that are set together.
type {{.Name}} struct {
{{- range .Fields}}
	// {{.Doc}}
	{{.Name}} {{.GoType}} ` + "`json:\"{{.Stored}}{{if .Optional}},omitzero{{end}}\"`" + `
{{- end}}
}

// SetOn sets the fields on a player.
func (s *{{.Name}}) SetOn(p *Player) {
{{- range .Fields}}
	{{- if .Optional}}
	if s.{{.Name}} != nil {
		p.{{.Name}} = s.{{.Name}}
	}
	{{- else}}
	p.{{.Name}} = s.{{.Name}}
	{{- end}}
{{- end}}
}

// Missing returns the name of a text that is empty and may not be; "" when there is none.
func (s *{{.Name}}) Missing() string {
	switch "" {
{{- range .Fields}}{{if eq .GoType "string"}}
	case s.{{.Name}}:
		return "{{.Stored}}"
{{- end}}{{end}}
	}
	return ""
}
{{end}}
// PlayerGuards are the access rules that hide a field of a player, by its name in stored records.
var PlayerGuards = map[string][]AccessRule{
{{- range .Player}}
	"{{.Stored}}": { {{.GoRules}} },
{{- end}}
}

// CopyPlayer copies the fields of a player that the rule guards.
func (r AccessRule) CopyPlayer(to, from *Player) {
	switch r {
	{{- range $rule := .Rules}}
	case {{$rule.Go}}:
		{{- range $.Player}}{{if .Has (print $rule)}}
		to.{{.Name}} = from.{{.Name}}
		{{- end}}{{end}}
	{{- end}}
	}
}

// GuardsCharacter reports whether the rule guards fields of a character.
func (r AccessRule) GuardsCharacter() bool {
	switch r {
	case {{range $i, $rule := .CharacterRules}}{{if $i}}, {{end}}{{$rule.Go}}{{end}}:
		return true
	}
	return false
}

// CopyCharacter copies the fields of a character that the rule guards.
func (r AccessRule) CopyCharacter(to, from *Character) {
	switch r {
	{{- range $rule := .Rules}}
	case {{$rule.Go}}:
		{{- range $.Character}}{{if .Has (print $rule)}}
		to.{{.Name}} = from.{{.Name}}
		{{- end}}{{end}}
	{{- end}}
	}
}
`
