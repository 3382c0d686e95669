// Package openapi generates the OpenAPI 3.1 document of the REST API. All of it is derived: endpoints and errors from
// rest.Rows, bodies from the fixed operations and their directives, texts and policy from the schema, examples from
// the contract cases. The package neither serves the document nor runs operations.
package openapi

import (
	"fmt"
	"net/http"
	"slices"
	"strings"

	"gamedata/graph"
	"gamedata/rest"
)

const version = "1.0.0"

type builder struct {
	exec       *graph.Executor
	components components
	cases      map[string][]rest.Case // by path of the row, shortest names first
	headers    object                 // of @header fields
	common     map[int]string         // names of the responses that all endpoints share, by status
	detailed   map[string]bool        // types returned by an operation of the same name
}

// Document returns the document of all rows with the operations of rest.Load.
func Document(exec *graph.Executor, ops map[string]*rest.Operation) []byte {
	b := &builder{
		exec: exec, components: errorSchemas(), cases: map[string][]rest.Case{}, detailed: map[string]bool{},
	}
	for name, op := range ops {
		if op.Plan().Type.Name() == name {
			b.detailed[name] = true
		}
	}
	for _, c := range rest.Cases() {
		if row, _, ok := c.Row(); ok && c.Method == row.Method && len(c.Header["Authorization"]) == 0 {
			b.cases[row.Path] = append(b.cases[row.Path], c)
		}
	}
	for _, list := range b.cases {
		slices.SortStableFunc(list, func(a, b rest.Case) int { return len(a.Name) - len(b.Name) })
	}
	responses, names := commonResponses()
	b.common = names
	var paths, tags object
	for _, row := range rest.Rows {
		tag := Group(row)
		if tags.Get(tag) == nil {
			tags = append(tags, member{tag, object{{"name", tag}}})
		}
		described := b.exchange()
		if op := ops[row.Operation]; op != nil {
			described = b.operation(row, op, tag)
		}
		paths = append(paths, member{row.Path, object{{strings.ToLower(row.Method), described}}})
	}
	var groups []any
	for _, t := range tags {
		groups = append(groups, t.value)
	}
	return Marshal(object{
		{"openapi", "3.1.0"},
		{"info", object{
			{"title", "gamedata"},
			{"version", version},
			{"summary", Purpose},
			{"description", strings.TrimSpace(introduction)},
		}},
		{"servers", []object{{{"url", rest.Prefix}}}},
		{"security", []object{{}, {{"token", []string{}}}, {{"oauth2", []string{}}}}},
		{"tags", groups},
		{"paths", paths},
		{"components", object{
			{"schemas", b.components.all()},
			{"responses", responses},
			{"headers", append(part("headers"), b.headers...)},
			{"securitySchemes", securitySchemes()},
		}},
	})
}

func (b *builder) operation(row rest.Row, op *rest.Operation, tag string) object {
	policy, plan := op.Policy(b.exec.FieldPolicy(op.RootField())), op.Plan()
	title, more := op.About()
	d := &describer{schema: b.exec.Schema(), components: b.components, operation: op.Name, detailed: b.detailed}
	body := d.body(plan)
	out := object{{"operationId", op.Name}, {"tags", []string{tag}}, {"summary", title}}.with("description", more)
	if row.Path == "/oauth/me" {
		out = append(out, member{"security", []object{{{"oauth2", []string{}}}}})
	}
	if parameters := b.parameters(row, op); parameters != nil {
		out = append(out, member{"parameters", parameters})
	}
	if body := b.requestBody(row, op); body != nil {
		out = append(out, member{"requestBody", body})
	}
	own := sent(plan)
	b.headers = append(b.headers, own...)
	var ok200 []string
	if policy.MaxAge > 0 {
		ok200 = []string{"Age", "ETag", "Cache-Status"}
	}
	content := jsonContent(body, b.examples(row, op, body))
	if op.Table() != "" {
		content = append(content, tableContent()...)
	}
	responses := object{{"200", object{
		{"description", "OK"},
		{"headers", refs(always, ok200, own.names())},
		{"content", content},
	}}}
	return append(out, member{"responses", append(responses, b.otherResponses(row, op, policy)...)},
		member{"x-cache", object{{"maxAge", int(policy.MaxAge.Seconds())}, {"scope", policy.Scope}}},
		member{"x-bucket", policy.Bucket},
		member{"x-cost", 1},
		member{"x-graphql", object{
			{"operation", op.Name},
			{"field", op.RootField()},
			{"sha256", op.Hash()},
			{"document", op.Document()},
			{"variables", b.variables(row, op)},
		}})
}

// variables returns the operation's variables in the first successful case of a row.
func (b *builder) variables(row rest.Row, op *rest.Operation) map[string]any {
	for _, c := range b.cases[row.Path] {
		_, path, _ := c.Row()
		if vars, err := op.Bind(path, c.Query(), []byte(c.Body)); err == nil && c.Want.Status == http.StatusOK {
			return op.Variables(vars)
		}
	}
	return map[string]any{}
}

// otherResponses describes the responses of a row except 200.
func (b *builder) otherResponses(row rest.Row, op *rest.Operation, policy graph.FieldPolicy) object {
	var out object
	candidates := ref("schemas", "PlayerCandidate")
	if policy.Bucket == "GUILD" {
		candidates = ref("schemas", "GuildCandidate")
	}
	for _, s := range groupByStatus(row.PossibleErrors(op)) {
		if s.common() {
			out = append(out, member{status(s.status), ref("responses", b.common[s.status])})
			continue
		}
		var objects object
		if s.status == http.StatusMultipleChoices {
			objects = candidates
		}
		out = append(out, member{status(s.status), s.response(objects, b.errorExample(row, s.status))})
	}
	if policy.MaxAge > 0 {
		at := slices.IndexFunc(out, func(m member) bool { return m.name > "304" })
		out = slices.Insert(out, at, member{"304", object{
			{"description", "Not modified: the ETag in `If-None-Match` is current."},
			{"headers", refs(always, []string{"ETag"})},
		}})
	}
	return out
}

// errorExample returns the body of the first case with a status, or nil if there is none.
func (b *builder) errorExample(row rest.Row, status int) any {
	for _, c := range b.cases[row.Path] {
		if c.Want.Status == status && len(c.Want.Body) > 0 {
			return decode(c.Want.Body)
		}
	}
	return nil
}

// examples returns bodies of cases: the first case for each combination of flags and enum parameters.
func (b *builder) examples(row rest.Row, op *rest.Operation, schema object) object {
	var out object
	have := map[string]bool{}
	for _, c := range b.cases[row.Path] {
		if c.Want.Status != http.StatusOK || len(c.Want.Body) == 0 {
			continue
		}
		var set []string
		vars, err := op.Bind(map[string]any{}, c.Query(), []byte(c.Body))
		if err != nil {
			continue
		}
		for _, p := range row.Parameters(op) {
			switch v := vars[p.Name]; {
			case p.Flag && v == true:
				set = append(set, p.Name)
			case p.Values != nil && v != nil && v != p.Default:
				set = append(set, fmt.Sprint(p.Name, "=", v))
			}
		}
		if key := strings.Join(set, "&"); !have[key] {
			have[key] = true
			out = append(out, member{c.Name, object{
				{"summary", c.Method + " " + rest.Prefix + strings.TrimPrefix(c.Target, rest.Prefix)},
				{"description", c.About},
				{"value", b.cut(decode(c.Want.Body), []object{schema})},
			}})
		}
	}
	if out == nil {
		return nil
	}
	return object{{"examples", out}}
}
