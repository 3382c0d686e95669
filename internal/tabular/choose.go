package tabular

import (
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
)

// ChoiceError means that the choice of an operation's list is ambiguous.
type ChoiceError struct {
	// Lists holds the possible paths, in the order of the operation.
	Lists []string
}

// Error lists the possible choices.
func (e *ChoiceError) Error() string {
	if len(e.Lists) == 0 {
		return "This operation returns no list, so it cannot be a table."
	}
	return "Choose the list with ?list= in the URL: " + strings.Join(e.Lists, ", ") + "."
}

// Choose returns the path of the list that becomes the table. An empty name chooses the list of Outermost. For CSV it
// descends from there while the entries have exactly one list of objects, such as the points in the series of a
// history; a line of NDJSON can contain lists. Paths consist of response keys: `guild.members.all`, and `items[].sets`
// for the concatenated lists of all entries of a list.
func Choose(op *ast.OperationDefinition, f Format, name string) (string, error) {
	all := lists(op.SelectionSet, "", nil)
	if name != "" {
		if !slices.ContainsFunc(all, func(l choice) bool { return l.path == name }) {
			return "", &ChoiceError{paths(all)}
		}
		return name, nil
	}
	path, err := Outermost(op)
	if err != nil || f != CSV {
		return path, err
	}
	for {
		inner := slices.DeleteFunc(slices.Clone(all), func(l choice) bool { return !l.objects || !l.isListOf(path) })
		if len(inner) != 1 {
			return path, nil
		}
		path = inner[0].path
	}
}

// Outermost returns the only list of objects outside all other lists or, if there is none, the only list outside all
// others.
func Outermost(op *ast.OperationDefinition) (string, error) {
	all := lists(op.SelectionSet, "", nil)
	outer := slices.DeleteFunc(slices.Clone(all), func(l choice) bool { return strings.Contains(l.path, "[]") })
	if objects := slices.DeleteFunc(slices.Clone(outer), func(l choice) bool { return !l.objects }); len(objects) > 0 {
		outer = objects
	}
	if len(outer) != 1 {
		return "", &ChoiceError{paths(all)}
	}
	return outer[0].path, nil
}

func paths(all []choice) []string {
	out := make([]string, len(all))
	for i, l := range all {
		out[i] = l.path
	}
	return out
}

// choice is a list that an operation selects.
type choice struct {
	path    string
	objects bool
}

// isListOf reports whether the list is a field of another list's entries, or the nodes of a connection there.
func (l choice) isListOf(outer string) bool {
	field, ok := strings.CutPrefix(l.path, outer+"[].")
	return ok && !strings.ContainsAny(strings.TrimSuffix(field, ".nodes"), ".[")
}

// lists finds the lists of a selection, in its order.
func lists(set ast.SelectionSet, under string, found []choice) []choice {
	for _, selection := range set {
		switch s := selection.(type) {
		case *ast.Field:
			path := s.Alias
			if under != "" {
				path = under + "." + s.Alias
			}
			for t := s.Definition.Type; t.Elem != nil; t = t.Elem {
				if !slices.ContainsFunc(found, func(l choice) bool { return l.path == path }) {
					found = append(found, choice{path, len(s.SelectionSet) > 0})
				}
				path += "[]"
			}
			found = lists(s.SelectionSet, path, found)
		case *ast.InlineFragment:
			found = lists(s.SelectionSet, under, found)
		case *ast.FragmentSpread:
			found = lists(s.Definition.SelectionSet, under, found)
		}
	}
	return found
}
