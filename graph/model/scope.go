package model

import "slices"

// IdentifyScope is part of every grant: it shows an application who the user is.
const IdentifyScope = "identify"

// Scope is a permission that a user can grant an application. All scopes but IdentifyScope lift the access rule of the
// same name on the user's own players.
type Scope struct {
	Name string
	// Title names the data that the scope shows, as a heading: "Statistics".
	Title string
	// Consent is the sentence about the scope on the consent page.
	Consent string
	// Description is the text in the OpenAPI document.
	Description string
}

// Scopes lists all scopes in display order, IdentifyScope first.
var Scopes = func() []Scope {
	out := []Scope{{
		IdentifyScope,
		"Linked players",
		"See which players are linked to your account, their names and ranks, and their privacy settings",
		"Which players are linked; part of every grant.",
	}}
	for rule := range NumAccessRules {
		if i := rule.Info(); i.Scoped {
			out = append(out, Scope{i.Name, i.Title, i.Consent, i.ScopeDescription})
		}
	}
	return out
}()

// ScopeNames lists the names of Scopes.
var ScopeNames = func() (names []string) {
	for _, s := range Scopes {
		names = append(names, s.Name)
	}
	return names
}()

// LiftedBy returns the rules lifted by scopes.
func LiftedBy(scopes []string) (set AccessRuleSet) {
	for rule := range NumAccessRules {
		if i := rule.Info(); i.Scoped && slices.Contains(scopes, i.Name) {
			set |= AccessRuleSetOf(rule)
		}
	}
	return set
}

// ScopesNamed returns the scopes with the given names, in the order of Scopes.
func ScopesNamed(names []string) []Scope {
	out := make([]Scope, 0, len(names))
	for _, s := range Scopes {
		if slices.Contains(names, s.Name) {
			out = append(out, s)
		}
	}
	return out
}
