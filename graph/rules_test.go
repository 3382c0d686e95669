package graph_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"gamedata/graph"
	"gamedata/graph/generated"
	"gamedata/graph/model"
)

// Literals that do not fit their types are errors of the document, wherever they are.
func TestLiteralsFitTheirTypes(t *testing.T) {
	e := executor(graph.Options{})
	const uuid = "3f2b8c1e-7a4d-4e9b-9c55-0d1e2f3a4b5c"
	for _, c := range []struct {
		query string
		code  graph.Code
	}{
		{`{players(filter:{uuids:["` + uuid + `","3F2B8C1E7A4D4E9B9C550D1E2F3A4B5C"]}){totalCount}}`, ""},
		{`{players(filter:{uuids:"` + uuid + `"}){totalCount}}`, ""},
		{`{players(filter:{uuids:["zz"]}){totalCount}}`, graph.ValidationFailed},
		{`{players(filter:{uuids:"zz"}){totalCount}}`, graph.ValidationFailed},
		{`{players(filter:{uuids:[["` + uuid + `"]]}){totalCount}}`, graph.ValidationFailed},
		{`{players(filter:{uuids:[3]}){totalCount}}`, graph.ValidationFailed},
		{`{player(by:{uuid:aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa}){uuid}}`, graph.ValidationFailed},
		{`{player(by:{uuid:{}}){uuid}}`, graph.ValidationFailed},
		{`{player(by:{uuid:["` + uuid + `"]}){uuid}}`, graph.ValidationFailed},
		{`{player(by:{uuid:true}){uuid}}`, graph.ValidationFailed},
		{`{player(by:{username:{}}){uuid}}`, graph.ValidationFailed},
		{`{player(by:{username:"x"}){uuid @skip(if:{})}}`, graph.ValidationFailed},
		{`{node(id:{}){id}}`, graph.ValidationFailed},
		{`{__type(name:{}){name}}`, graph.ValidationFailed},
		{`{items(first:{}){totalCount}}`, graph.ValidationFailed},
		{`{items(first:3000000000){totalCount}}`, graph.ValidationFailed},
		{`{items(first:-2147483649){totalCount}}`, graph.ValidationFailed},
		{`{events(first:1,filter:{types:{}}){nodes{__typename}}}`, graph.ValidationFailed},
		{`{territoriesAt(at:"2026-03-19T00:00:00Z"){territoryName}}`, ""},
		{`{territoriesAt(at:"2026-03-19"){territoryName}}`, graph.ValidationFailed},
		{`{territoriesAt(at:5){territoryName}}`, graph.ValidationFailed},
		{`{classes{id} territoriesAt(at:"x"){...f}} fragment f on PastTerritory{territoryName}`, graph.ValidationFailed},
		{`query($u:[UUID!]="zz"){players(filter:{uuids:$u}){totalCount}}`, graph.ValidationFailed},
		{`query($u:String={}){article(by:{number:1},typeLabel:$u){number}}`, graph.ValidationFailed},
		{`{guilds(filter:{wars:{min:-9223372036854775808}}){totalCount}}`, ""},
		{`{guilds(filter:{wars:{min:9223372036854775808}}){totalCount}}`, graph.ValidationFailed},
		{`{guilds(filter:{wars:{min:1.5}}){totalCount}}`, graph.ValidationFailed},
		{`{guilds(filter:{wars:{min:"5"}}){totalCount}}`, graph.ValidationFailed},
		{`{player(by:{username:"\uD83D\uDE00 \u{1F600} \uFFFD \\uD83D"}){uuid}}`, ""},
		{`{player(by:{username:"""\uD83D � """}){uuid}}`, ""},
		{"# ü \\uD83D\n" + `{player(by:{username:"ü�"}){uuid}}`, ""},
		{`{player(by:{username:"\uD83D"}){uuid}}`, graph.ParseFailed},
		{"# ü\n" + `{player(by:{username:"ü\uDE00\uD83D"}){uuid}}`, graph.ParseFailed},
		{`{player(by:{username:"\\\ud83d\u0041"}){uuid}}`, graph.ParseFailed},
		{`query($u:String="\uDfff"){player(by:{username:$u}){uuid}}`, graph.ParseFailed},
		{`{player(by:{username:"x"}){uuid @skip(if:"\uD800")}}`, graph.ParseFailed},
	} {
		_, errs := e.Parse(c.query, "")
		if c.code == "" && errs != nil || c.code != "" && (len(errs) != 1 || graph.ErrorOf(errs[0]).Code != c.code ||
			len(errs[0].Locations) != 1 || strings.Contains(errs[0].Message, "zz")) {
			t.Errorf("%s: got %v, want %q", c.query, errs, c.code)
		}
	}
}

// Variables that do not fit their types are errors of the request.
func TestVariablesFitCustomScalars(t *testing.T) {
	e := executor(graph.Options{})
	op, errs := e.Parse(`query($g:[UUID!],$t:DateTime!,$f:GuildFilter){players(filter:{uuids:$g}){totalCount}
		territoriesAt(at:$t){territoryName} guilds(filter:$f){totalCount}}`, "")
	if errs != nil {
		t.Fatal(errs)
	}
	for variables, wrong := range map[string]string{
		`{"t":"2026-03-19T00:00:00Z","g":"3f2b8c1e7a4d4e9b9c550d1e2f3a4b5c"}`:   "",
		`{"t":"2026-03-19T00:00:00Z","g":["zz"]}`:                               "$g[0] must be of type UUID",
		`{"t":"2026-03-19T00:00:00Z","g":{}}`:                                   "$g[0] must be of type UUID",
		`{"t":5}`:                                                               "$t must be of type DateTime",
		`{"t":"2026-02-30T00:00:00Z"}`:                                          "$t must be of type DateTime",
		`{"t":"2026-03-19T00:00:00Z","f":{"wars":{"min":9223372036854775807}}}`: "",
		`{"t":"2026-03-19T00:00:00Z","f":{"wars":{"min":9223372036854775808}}}`: "$f.wars.min must be of type Int64",
		`{"t":"2026-03-19T00:00:00Z","f":{"wars":{"max":"5"}}}`:                 "$f.wars.max must be of type Int64",
		`{"t":"2026-03-19T00:00:00Z","f":{"wars":{"max":{}}}}`:                  "$f.wars.max must be of type Int64",
	} {
		decoder := json.NewDecoder(strings.NewReader(variables))
		decoder.UseNumber()
		given := map[string]any{}
		if err := decoder.Decode(&given); err != nil {
			t.Fatal(err)
		}
		err := e.CheckVariables(op, given)
		if wrong == "" && err != nil || wrong != "" && (err == nil || !strings.Contains(err.Message, wrong)) {
			t.Errorf("%s: got %v, want %q", variables, err, wrong)
		}
	}
}

type subscriptionRoot struct{ root }

func (subscriptionRoot) Subscription() generated.SubscriptionResolver { return subscription{} }

type subscription struct{ generated.SubscriptionResolver }

func (subscription) TerritoryChanges(ctx context.Context, _ *string, _ []string, _ *string,
) (<-chan *model.TerritoryCaptured, error) {
	return graph.StreamEvents[*model.TerritoryCaptured](ctx, graph.EventSelection{}, nil)
}

// A subscription has one root field, known before its variables are; the name of its type is a valid selection.
func TestRootFieldOfSubscriptions(t *testing.T) {
	e := graph.New(generated.NewExecutableSchema(generated.Config{Resolvers: subscriptionRoot{}}), graph.Options{})
	for query, valid := range map[string]bool{
		`subscription{territoryChanges{__typename}}`:                                       true,
		`subscription{t:territoryChanges{...{n:__typename}}}`:                              true,
		`subscription{territoryChanges{...f}} fragment f on TerritoryCaptured{__typename}`: true,
		`subscription{...f ...f} fragment f on Subscription{territoryChanges{__typename}}`: true,
		`subscription{a:territoryChanges{__typename} a:territoryChanges{__typename}}`:      true,
		`subscription{a:territoryChanges{__typename} b:territoryChanges{__typename}}`:      false,
		`subscription{a:territoryChanges{__typename} ...{b:territoryChanges{__typename}}}`: false,
		`subscription{__typename}`:                                                           false,
		`subscription{territoryChanges @skip(if:true){__typename}}`:                          false,
		`subscription($s:Boolean!){territoryChanges @include(if:$s){__typename}}`:            false,
		`subscription{...@skip(if:true){territoryChanges{__typename}}}`:                      false,
		`subscription{...f @skip(if:true)} fragment f on Subscription{territoryChanges{at}}`: false,
	} {
		op, errs := e.Parse(query, "")
		if (errs == nil) != valid {
			t.Errorf("%s: %v", query, errs)
		}
		if errs != nil || !valid {
			continue
		}
		if _, errs := e.Open(t.Context(), op, nil); errs != nil {
			t.Errorf("%s: %v", query, errs)
		}
		r := e.Deliver(t.Context(), op, nil, &model.Event{Data: &model.TerritoryCaptured{}})
		if len(r.Errors) > 0 || !strings.Contains(string(r.Data), `"TerritoryCaptured"`) {
			t.Errorf("%s: %s %v", query, r.Data, r.Errors)
		}
	}
}
