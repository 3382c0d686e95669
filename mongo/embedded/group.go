package embedded

import (
	"go.mongodb.org/mongo-driver/v2/bson"
)

type grouping struct {
	id     expression
	fields []accumulator
}

type accumulator struct {
	name, operator string
	expr           expression
}

func parseGroup(arg value) (*grouping, error) {
	if !arg.isDoc() {
		return nil, errorf(15947, "a group's fields must be specified in an object")
	}
	g := &grouping{}
	for name, v := range arg.doc().all() {
		if name == "_id" {
			var err error
			if g.id, err = parseExpression(v); err != nil {
				return nil, err
			}
			continue
		}
		if err := checkPath(name); err != nil {
			return nil, err
		}
		if len(parsePath(name)) > 1 {
			return nil, errorf(40235, "The field name '%s' cannot contain '.'", name)
		}
		if !v.isDoc() {
			return nil, errorf(40234, "The field '%s' must be an accumulator object", name)
		}
		it := v.doc().elements()
		operator, operand, ok := it.next()
		if _, _, more := it.next(); !ok || more {
			return nil, errorf(40238, "The field '%s' must specify one accumulator", name)
		}
		a := accumulator{name: name, operator: string(operator)}
		switch a.operator {
		case "$sum", "$avg", "$min", "$max", "$first", "$last", "$push", "$addToSet":
		default:
			return nil, errorf(15952, "unknown group operator '%s'", a.operator)
		}
		var err error
		if a.expr, err = parseExpression(operand); err != nil {
			return nil, err
		}
		g.fields = append(g.fields, a)
	}
	if g.id == nil {
		return nil, errorf(15955, "a group specification must include an _id")
	}
	return g, nil
}

// constant reports whether the groups depend only on the number of documents.
func (g *grouping) constant() bool {
	_, fixed := g.id.(constant)
	for _, a := range g.fields {
		_, f := a.expr.(constant)
		fixed = fixed && f
	}
	return fixed
}

// group is one group being filled.
type group struct {
	id     value
	states []state
}

type state struct {
	any    bool
	value  value // sum, smallest, largest, first, last
	count  int64 // of numbers
	values []value
	known  map[string]bool
}

// stage reads all documents; groups come in the order in which they first appeared.
func (g *grouping) stage(source stream) (stream, error) {
	byID := map[string]*group{}
	var order []*group
	size := 0
	var key []byte
	for d, err := range documents(source) {
		if err != nil {
			return nil, err
		}
		id := g.id.eval(d)
		if id.kind == 0 {
			id = null
		}
		key = appendKey(key[:0], id)
		found := byID[string(key)]
		if found == nil {
			found = &group{id.clone(), make([]state, len(g.fields))}
			byID[string(key)] = found
			order = append(order, found)
			size += len(key) + len(id.data) + 64*len(g.fields)
		}
		for i, a := range g.fields {
			size += found.states[i].add(a.operator, a.expr.eval(d))
		}
		if size > maxGathered {
			return nil, errorf(codeSortMemory,
				"Exceeded memory limit for $group of %d bytes, and spilling to disk is not available", maxGathered)
		}
	}
	out := &list{}
	for _, found := range order {
		out.docs = append(out.docs, document(func(dst []byte) []byte {
			dst = appendValue(dst, "_id", found.id)
			for i, a := range g.fields {
				dst = appendValue(dst, a.name, found.states[i].result(a.operator))
			}
			return dst
		}))
	}
	for _, d := range out.docs {
		if len(d) > maxDocument {
			return nil, errorf(codeDocumentTooLarge, "a group of %d bytes is larger than a document may be", len(d))
		}
	}
	return out, nil
}

// add takes one value in and returns how many bytes it keeps of it.
func (s *state) add(operator string, v value) int {
	switch operator {
	case "$sum", "$avg":
		if v.isNumber() {
			s.sum(v)
		}
	case "$min", "$max":
		if v.kind == 0 || v.kind == bson.TypeNull {
			return 0
		}
		if c := compareValues(v, s.value); !s.any || (c < 0) == (operator == "$min") && c != 0 {
			s.value = v.clone()
		}
		s.any = true
	case "$first":
		if !s.any {
			s.value, s.any = orNull(v).clone(), true
		}
	case "$last":
		s.value, s.any = orNull(v).clone(), true
	case "$push":
		if v.kind == 0 {
			return 0
		}
		s.values = append(s.values, v.clone())
		return len(v.data) + 40
	case "$addToSet":
		if v.kind == 0 {
			return 0
		}
		key := string(appendKey(nil, v))
		if s.known == nil {
			s.known = map[string]bool{}
		}
		if s.known[key] {
			return 0
		}
		s.known[key] = true
		s.values = append(s.values, v.clone())
		return len(v.data) + len(key) + 80
	}
	return 0
}

// sum adds a number. What no int64 holds goes on as a double.
func (s *state) sum(v value) {
	s.count++
	if !s.any {
		s.value, s.any = v.clone(), true
		return
	}
	next, ok := add(s.value, v)
	if !ok {
		next = doubleValue(s.value.asDouble() + v.asDouble())
	}
	s.value = next
}

func (s *state) result(operator string) value {
	switch operator {
	case "$sum":
		if !s.any {
			return int32Value(0)
		}
		return s.value
	case "$avg":
		if s.count == 0 {
			return null
		}
		return doubleValue(s.value.asDouble() / float64(s.count))
	case "$push", "$addToSet":
		return array(s.values)
	}
	return orNull(s.value)
}

func orNull(v value) value {
	if v.kind == 0 {
		return null
	}
	return v
}
