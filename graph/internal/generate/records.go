package main

import (
	"bytes"
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/template"

	"github.com/vektah/gqlparser/v2/ast"
)

// Records of the game declare facts about each field in the tag `record`:
//
//	key             the record's key, unless it is stored as _id
//	volatile        changes all the time; a change of it does not count for updatedAt
//	played          changes while the player plays, so a change counts only if everyone may see that the player does
//	guarded=RULE    the access rule that hides it, unless @guarded of the schema's field says so
//	purge           responses with an old value must not be served any longer
//	counter         a number that grows; of PlayerTotals, with label=…, metric=… and sum=… where they do not follow
//	                from its name: the label on pages, the metric of its history, the field of characters that it sums
//	set=NAME        a field that the struct NAME sets together with others; optional: only if it is given
//	gain            a counter of characters that playing increases
//	negative        a whole number that may be below 0

// writeRecords writes the counters, the settings and the copies that access rules make.
func writeRecords(s *schema, types modelTypes) error {
	model, schema := structsOf(types), s.Schema
	counters, err := playerCounters(model, schema)
	if err != nil {
		return err
	}
	rules, character := ruleNames(schema), guards(model["Character"], schema.Types["Character"])
	data := map[string]any{
		"Counters": counters, "Gains": tagged(model["Character"], "gain"),
		"CharacterCounters": append(tagged(model["Character"], "counter"), tagged(model["Character"], "gain")...),
		"Settings":          settings(model["Player"]),
		"Player":            guards(model["Player"], schema.Types["Player"]),
		"Character":         character, "Rules": rules,
		"CharacterRules": slices.DeleteFunc(slices.Clone(rules), func(r ruleName) bool {
			return !slices.ContainsFunc(character, func(g guard) bool { return g.Has(string(r)) })
		}),
	}
	return writeTemplate("graph/model/records_gen.go", recordsTemplate, data)
}

func writeTemplate(file, text string, data any) error {
	var out bytes.Buffer
	if err := template.Must(template.New(file).Parse(text)).Execute(&out, data); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		return err
	}
	return writeGo(file, out.String())
}

func tagged(fields []structField, option string) []structField {
	return slices.DeleteFunc(slices.Clone(fields), func(f structField) bool { return !f.has(option) })
}

// setting is a struct of fields set together.
type setting struct {
	Name   string
	Fields []structField
}

// settings returns the structs in the order of their first fields.
func settings(fields []structField) (out []setting) {
	for _, f := range tagged(fields, "set") {
		at := slices.IndexFunc(out, func(s setting) bool { return s.Name == f.Tags["set"] })
		if at < 0 {
			at, out = len(out), append(out, setting{Name: f.Tags["set"]})
		}
		out[at].Fields = append(out[at].Fields, f)
	}
	return out
}

// guard is a field that access rules hide.
type guard struct {
	structField
	Rules []string // as in the enum AccessRule
}

// Has reports whether a rule hides the field.
func (g guard) Has(rule string) bool { return slices.Contains(g.Rules, rule) }

// GoRules returns the rules as constants of package model.
func (g guard) GoRules() string {
	out := make([]string, len(g.Rules))
	for i, rule := range g.Rules {
		out[i] = goRule(rule)
	}
	return strings.Join(out, ", ")
}

// goRule returns the constant of a rule: MainAccess for MAIN_ACCESS.
func goRule(rule string) string {
	var out strings.Builder
	for word := range strings.SplitSeq(rule, "_") {
		out.WriteString(word[:1] + strings.ToLower(word[1:]))
	}
	return out.String()
}

// GoRule is goRule for templates.
type ruleName string

func (r ruleName) Go() string { return goRule(string(r)) }

func ruleNames(schema *ast.Schema) []ruleName {
	var out []ruleName
	for _, v := range schema.Types["AccessRule"].EnumValues {
		out = append(out, ruleName(v.Name))
	}
	return out
}

func guards(fields []structField, def *ast.Definition) (out []guard) {
	for _, f := range fields {
		g := guard{structField: f}
		if rule := f.Tags["guarded"]; rule != "" {
			g.Rules = []string{rule}
		} else if shown := def.Fields.ForName(f.Shown); shown != nil {
			if d := shown.Directives.ForName("guarded"); d != nil {
				for _, c := range d.Arguments.ForName("by").Value.Children {
					g.Rules = append(g.Rules, c.Value.Raw)
				}
			}
		}
		if len(g.Rules) > 0 {
			out = append(out, g)
		}
	}
	return out
}

type counter struct {
	structField
	Label, Metric string
	Sum           string // the field of a character; empty if characters lack it
	SumType       string
}

// playerCounters returns the counters of players, those with a history first, in the order of the metrics.
func playerCounters(model structs, schema *ast.Schema) (out []counter, err error) {
	metrics := schema.Types["HistoryMetric"].EnumValues
	for _, f := range tagged(model["PlayerTotals"], "counter") {
		words := f.words()
		c := counter{structField: f, Label: f.Tags["label"], Metric: f.Tags["metric"], Sum: f.Tags["sum"]}
		c.Label = cmp.Or(c.Label, strings.ToUpper(words[0][:1])+strings.Join(words, " ")[1:])
		c.Metric = cmp.Or(c.Metric, strings.ToUpper(strings.Join(words, "_")))
		c.Sum = cmp.Or(c.Sum, f.Name)
		if metrics.ForName(c.Metric) == nil && c.Metric != "none" {
			return nil, fmt.Errorf("PlayerTotals.%s: there is no metric %s; declare it, or metric=none", f.Name, c.Metric)
		}
		at := slices.IndexFunc(model["Character"], func(own structField) bool { return own.Name == c.Sum })
		switch {
		case at >= 0:
			c.SumType = model["Character"][at].GoType()
		case c.Sum != "none":
			return nil, fmt.Errorf("PlayerTotals.%s: characters have no field %s; name another, or sum=none", f.Name, c.Sum)
		}
		out = append(out, c)
	}
	place := func(c counter) int {
		at := slices.IndexFunc(metrics, func(v *ast.EnumValueDefinition) bool { return v.Name == c.Metric })
		if at < 0 {
			at = len(metrics)
		}
		return at
	}
	slices.SortStableFunc(out, func(a, b counter) int { return place(a) - place(b) })
	return out, nil
}

// Path returns the path of a counter's number in player records.
func (c counter) Path() string {
	if c.IsList() {
		return "globalData." + c.Stored + ".total"
	}
	return "globalData." + c.Stored
}

// IsList reports whether the counter is a list of numbers with a total.
func (c counter) IsList() bool { return c.Type == "CountList" }

// GoMetric returns the constant of the metric, or "" without a metric.
func (c counter) GoMetric() string {
	if c.Metric == "none" {
		return ""
	}
	return "HistoryMetric" + goRule(c.Metric)
}

// SumValue returns the expression for a character's part of the counter.
func (c counter) SumValue() string {
	switch field := "c." + c.Sum; c.SumType {
	case "*int64":
		return "valueOf(" + field + ")"
	case "[]string":
		return "int64(len(" + field + "))"
	default:
		return "int64(" + field + ")"
	}
}
