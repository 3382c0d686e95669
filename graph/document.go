package graph

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
	"github.com/vektah/gqlparser/v2/lexer"
	"github.com/vektah/gqlparser/v2/parser"
	"github.com/vektah/gqlparser/v2/validator"
	"github.com/vektah/gqlparser/v2/validator/rules"
)

// The rules of the specification. With suggestions the validator compares each unknown name with every name of the
// schema, which takes too long for a document with many unknown names.
var (
	suggestingRules = newRules()
	validationRules = withoutSuggestions(newRules())
)

func newRules() *rules.Rules {
	r := rules.NewDefaultRules()
	r.AddRule("ScalarLiterals", scalarLiterals)
	r.ReplaceRule(rules.SingleFieldSubscriptionsRule.Name, oneRootField)
	return r
}

func withoutSuggestions(r *rules.Rules) *rules.Rules {
	for name, quiet := range map[string]validator.Rule{
		rules.FieldsOnCorrectTypeRule.Name: rules.FieldsOnCorrectTypeRuleWithoutSuggestions,
		rules.KnownArgumentNamesRule.Name:  rules.KnownArgumentNamesRuleWithoutSuggestions,
		rules.KnownTypeNamesRule.Name:      rules.KnownTypeNamesRuleWithoutSuggestions,
		rules.ScalarLeafsRule.Name:         rules.ScalarLeafsRuleWithoutSuggestions,
		rules.ValuesOfCorrectTypeRule.Name: rules.ValuesOfCorrectTypeRuleWithoutSuggestions,
	} {
		r.ReplaceRule(name, quiet.RuleFunc)
	}
	return r
}

var unknownType = regexp.MustCompile(`^Unknown type "(\w+)"\.$`)

// validate returns the errors of a document. It suggests similar names if few names are unknown.
func validate(schema *ast.Schema, doc *ast.QueryDocument) gqlerror.List {
	errs := validator.ValidateWithRules(schema, doc, validationRules)
	tooLong := func(err *gqlerror.Error) bool { return len(err.Message) > maxMessage }
	if n := len(errs); n > 0 && n <= maxValidationErrors && !slices.ContainsFunc(errs, tooLong) {
		errs = validator.ValidateWithRules(schema, doc, suggestingRules)
		for _, err := range errs { // for types, gqlparser does so only in named fragments
			if name := unknownType.FindStringSubmatch(err.Message); name != nil {
				err.Message += suggestion(name[1], slices.Collect(maps.Keys(schema.Types)))
			}
		}
	}
	return errs
}

// parseDocument parses and validates a document, and returns its weight in nodes.
func parseDocument(schema *ast.Schema, query string, limits Limits) (*ast.QueryDocument, int, gqlerror.List) {
	parsed, err := parser.ParseQueryWithTokenLimit(&ast.Source{Name: "query", Input: query}, limits.Tokens)
	if err != nil {
		return nil, 0, gqlerror.List{parseError(err, limits)}
	}
	nodes, tooLarge := checkSize(parsed, limits)
	if tooLarge != nil {
		return nil, 0, gqlerror.List{tooLarge}
	}
	if errs := validate(schema, parsed); len(errs) > 0 {
		return nil, 0, truncateErrors(errs)
	}
	return parsed, nodes, nil
}

// parseError distinguishes a document with too many tokens from one that is not GraphQL.
func parseError(err error, limits Limits) *gqlerror.Error {
	var at *ast.Position
	var g *gqlerror.Error
	message := err.Error()
	if errors.As(err, &g) {
		message = g.Message
		if len(g.Locations) > 0 {
			at = &ast.Position{Line: g.Locations[0].Line, Column: g.Locations[0].Column}
		}
	}
	if strings.Contains(message, "token limit") {
		return limitError(at, "tokens", limits.Tokens+1, limits.Tokens,
			"The query has more than %[2]d tokens, at most %[2]d are allowed.")
	}
	return documentError(ParseFailed, at, withoutValues(message))
}

// maxValidationErrors is the maximum number of errors returned for one document.
const maxValidationErrors = 10

// truncateErrors returns the first errors of the validator and removes the caller's values. It merges errors with the
// same message into one with the first locations.
func truncateErrors(errs gqlerror.List) gqlerror.List {
	out := make(gqlerror.List, 0, min(len(errs), maxValidationErrors))
	messages := map[string]string{} // by the validator's message: repeated fields cause thousands of equal messages
	for _, err := range errs {
		message, ok := messages[err.Message]
		if !ok {
			message = withoutValues(err.Message)
			messages[err.Message] = message
		}
		i := slices.IndexFunc(out, func(e *gqlerror.Error) bool { return e.Message == message })
		switch {
		case i < 0 && len(out) < maxValidationErrors:
			out = append(out, &gqlerror.Error{
				Message: message, Locations: err.Locations,
				Extensions: map[string]any{"code": string(ValidationFailed)},
			})
		case i >= 0 && len(out[i].Locations) < maxValidationErrors:
			out[i].Locations = append(out[i].Locations, err.Locations...)
		}
	}
	return out
}

// document is a validated document with its executable operations by name. A single operation is also listed under the
// empty name.
type document struct {
	parsed     *ast.QueryDocument
	operations map[string]*Operation
}

func newDocument(text string, parsed *ast.QueryDocument, facts schemaFacts) *document {
	tokens := hashTokens(text)
	d := &document{parsed, map[string]*Operation{}}
	for _, def := range parsed.Operations {
		op := newOperation(parsed, def, facts)
		op.Hash = tokens + " " + def.Name
		d.operations[def.Name] = op
		if len(parsed.Operations) == 1 {
			d.operations[""] = op
		}
	}
	return d
}

// hashTokens returns the SHA-256 of the tokens of a text. The parser does not expose its tokens, so a
// new text is lexed twice.
func hashTokens(text string) string {
	sum, tokens := sha256.New(), lexer.New(&ast.Source{Input: text})
	var head [16]byte
	for {
		t, err := tokens.ReadToken()
		if err != nil || t.Kind == lexer.EOF {
			return hex.EncodeToString(sum.Sum(nil))
		}
		if t.Kind == lexer.Comment {
			continue
		}
		binary.BigEndian.PutUint64(head[:], uint64(t.Kind))
		binary.BigEndian.PutUint64(head[8:], uint64(len(t.Value)))
		sum.Write(head[:])
		sum.Write([]byte(t.Value))
	}
}

// documentCacheNodes limits the total weight of the cached documents. A page's query weighs about 50 nodes, so 2,000
// distinct queries fit. A node takes 200 to 300 bytes, so the cache takes at most about 30 MB.
const documentCacheNodes = 100_000

// weight returns the weight of a document in the cache. The text counts too: a query without nodes may contain a long
// comment.
func weight(text string, nodes int) int { return nodes + 1 + len(text)/64 }
