package embedded

import "strings"

// statement is one write of an update, delete or bulkWrite command.
type statement struct {
	query
	condition     raw // the filter, as it was sent
	change        *modification
	document      raw
	upsert, multi bool
}

// statementFields has the fields of statements, by the argument that holds the statements or by the kind of bulkWrite
// op.
var statementFields = map[string]fieldSet{
	"updates": parseFieldSet("!q !u upsert multi"),
	"deletes": parseFieldSet("!q !limit"),
	"insert":  parseFieldSet("insert !document"),
	"update":  parseFieldSet("update !filter !updateMods upsert multi"),
	"delete":  parseFieldSet("delete !filter multi"),
}

func (c *command) parseStatement(kind, namespace string, d raw) (*statement, error) {
	s := &statement{query: query{namespace: namespace}}
	set, of := statementFields[kind], c.name+"."+kind
	for _, name := range set.required {
		if d.lookup(name).kind == 0 {
			return nil, errorf(40414, "BSON field '%s.%s' is missing but a required field", of, name)
		}
	}
	for name, v := range d.all() {
		err := set.check(of, name)
		if err == nil {
			err = s.set(c, kind, name, v)
		}
		if err != nil {
			return nil, err
		}
	}
	return s, nil
}

func (s *statement) set(c *command, kind, name string, v value) (err error) {
	switch name {
	case "q", "filter", "document":
		if !v.isDoc() {
			return c.mismatch(kind+"."+name, v, "object")
		}
	}
	switch name {
	case "q", "filter":
		s.condition = v.doc()
		s.filter, err = parseFilter(v.doc())
	case "u", "updateMods":
		s.change, err = parseModification(v)
	case "document":
		s.document = v.doc()
	case "upsert":
		s.upsert = v.truthy()
	case "multi":
		s.multi = v.truthy()
	case "limit":
		n, ok := v.integer()
		if !ok || n < 0 || n > 1 {
			return errorf(codeFailedToParse, "The limit field in delete objects must be 0 or 1. Got %s", show(v))
		}
		s.multi = n == 0
	}
	return err
}

// fieldSet lists the fields of a command or statement. The zero value accepts every field.
type fieldSet struct {
	known    map[string]bool
	required []string
}

// parseFieldSet reads the names of fields; a required one begins with "!".
func parseFieldSet(names string) fieldSet {
	set := fieldSet{known: map[string]bool{}}
	for _, name := range strings.Fields(names) {
		name, required := strings.CutPrefix(name, "!")
		set.known[name] = true
		if required {
			set.required = append(set.required, name)
		}
	}
	return set
}

// check rejects a field that is not in the set: ignoring it would change the meaning of the command.
func (set fieldSet) check(of, name string) error {
	if set.known != nil && !set.known[name] {
		return errorf(codeUnknownField, "BSON field '%s.%s' is an unknown field.", of, name)
	}
	return nil
}
