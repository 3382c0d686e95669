package embedded

import (
	"strings"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
)

// aggregate runs a pipeline. The leading $match, $sort, $skip and $limit are served by the planner; the other
// stages process its results.
func aggregate(c *command) error {
	namespace := c.namespace()
	pipeline := c.body.lookup("pipeline")
	if pipeline.kind != bson.TypeArray {
		c.reject(c.mismatch("pipeline", pipeline, "array"))
	}
	if c.body.lookup("cursor").kind == 0 {
		c.reject(errorf(codeFailedToParse,
			"The 'cursor' option is required, except for aggregate with the explain argument"))
	}
	batch := c.cursorOptions()
	if c.err != nil {
		return c.err
	}
	q, stages, err := parsePipeline(pipeline.doc())
	if err != nil {
		return err
	}
	q.namespace, q.hint = namespace, c.body.lookup("hint")
	return c.view(func(snap snapshot) error {
		source, err := c.s.openPipeline(snap, q, stages, c.deadline)
		if err != nil {
			return err
		}
		return c.firstBatch(namespace, source, batch)
	})
}

// stage turns one stream into another.
type stage func(stream) (stream, error)

// parsePipeline splits a pipeline into a leading query and the stages after it.
func parsePipeline(pipeline raw) (q query, stages []stage, err error) {
	plain := true
	var last string
	for _, v := range pipeline.all() {
		if !v.isDoc() {
			return q, nil, errorf(codeTypeMismatch, "Each element of the 'pipeline' array must be an object")
		}
		it := v.doc().elements()
		key, arg, ok := it.next()
		if _, _, more := it.next(); !ok || more {
			return q, nil, errorf(40323, "A pipeline stage specification object must contain exactly one field.")
		}
		name := string(key)
		if plain {
			if plain, err = q.absorb(name, last, arg); err != nil {
				return q, nil, err
			}
			if plain {
				last = name
				continue
			}
			if name == "$group" && len(stages) == 0 {
				g, err := parseGroup(arg)
				if err != nil {
					return q, nil, err
				}
				q.countOnly = g.constant()
				stages = append(stages, g.stage)
				continue
			}
			q.countOnly = name == "$count"
		}
		s, err := parseStage(name, arg)
		if err != nil {
			return q, nil, err
		}
		stages = append(stages, s)
	}
	return q, stages, nil
}

// absorb makes a leading stage part of the query if that does not change the result: matches, then a sort, then a skip,
// then a limit.
func (q *query) absorb(name, last string, arg value) (bool, error) {
	switch {
	case name == "$match" && (last == "" || last == "$match"):
		f, err := parseMatch(arg)
		q.filter = append(q.filter, f...)
		return true, err
	case name == "$sort" && (last == "" || last == "$match"):
		var err error
		q.sort, err = parseSortStage(arg)
		return true, err
	case name == "$skip" && q.skip == 0 && q.limit == 0:
		n, err := stageNumber(name, arg, 0)
		q.skip = n
		return true, err
	case name == "$limit" && q.limit == 0:
		n, err := stageNumber(name, arg, 1)
		q.limit = n
		return true, err
	}
	return false, nil
}

func parseMatch(arg value) (allOf, error) {
	if !arg.isDoc() {
		return nil, errorf(15959, "the match filter must be an expression in an object")
	}
	return parseFilter(arg.doc())
}

func parseSortStage(arg value) ([]sortField, error) {
	if !arg.isDoc() {
		return nil, errorf(15973, "the $sort key specification must be an object")
	}
	if arg.doc().empty() {
		return nil, errorf(15976, "$sort stage must have at least one sort key")
	}
	return parseSort(arg.doc())
}

func stageNumber(name string, arg value, least int64) (int64, error) {
	n, ok := arg.integer()
	if !ok || n < least {
		c := code(5107201)
		if name == "$skip" {
			c = 5107200
		} else if ok {
			c = 15958
		}
		return 0, errorf(c, "invalid argument to %s stage: %s", name, show(arg))
	}
	return n, nil
}

func parseStage(name string, arg value) (stage, error) {
	switch name {
	case "$match":
		f, err := parseMatch(arg)
		return func(s stream) (stream, error) { return &filtered{s, f}, nil }, err
	case "$sort":
		fields, err := parseSortStage(arg)
		return func(s stream) (stream, error) { return sortAll(s, fields, 0, true) }, err
	case "$skip", "$limit":
		least := int64(0)
		if name == "$limit" {
			least = 1
		}
		n, err := stageNumber(name, arg, least)
		if name == "$skip" {
			return func(s stream) (stream, error) { return newWindow(s, n, 0), nil }, err
		}
		return func(s stream) (stream, error) { return newWindow(s, 0, n), nil }, err
	case "$project":
		p, err := parseProjectStage(arg)
		return func(s stream) (stream, error) { return &projected{stream: s, projection: p}, nil }, err
	case "$group":
		g, err := parseGroup(arg)
		if err != nil {
			return nil, err
		}
		return g.stage, nil
	case "$count":
		return parseCountStage(arg)
	}
	//nolint:misspell // MongoDB's message
	return nil, errorf(codeUnknownStage, "Unrecognized pipeline stage name: '%s'", name)
}

// parseCountStage reads $count: one document with the number of documents, or none when there are none.
func parseCountStage(arg value) (stage, error) {
	if arg.kind != bson.TypeString || len(arg.text()) == 0 {
		return nil, errorf(40156, "the count field must be a non-empty string")
	}
	name := string(arg.text())
	if strings.ContainsAny(name, "$.\x00") {
		return nil, errorf(40158, "the count field cannot contain '$' or '.'")
	}
	return func(s stream) (stream, error) {
		n := int64(0)
		for _, err := range documents(s) {
			if err != nil {
				return nil, err
			}
			n++
		}
		if n == 0 {
			return &list{}, nil
		}
		return &list{docs: []raw{document(func(dst []byte) []byte { return appendCount(dst, name, n) })}}, nil
	}, nil
}

// parseProjectStage reads $project, which may also rename and compute.
func parseProjectStage(arg value) (*projection, error) {
	if !arg.isDoc() {
		return nil, errorf(15969, "$project specification must be an object")
	}
	if arg.doc().empty() {
		return nil, errorf(51272, "Invalid $project :: caused by :: projection specification must have at least one field")
	}
	p := &projection{fields: projectionTree{}}
	decided := false
	for name, v := range arg.doc().all() {
		if err := checkPath(name); err != nil {
			return nil, err
		}
		if v.isNumber() || v.kind == bson.TypeBoolean {
			if err := p.name(name, v.truthy(), &decided); err != nil {
				return nil, err
			}
			continue
		}
		if decided && p.exclude {
			return nil, errorf(31252, "Cannot use expression other than $meta in exclusion projection")
		}
		if strings.Contains(name, ".") {
			return nil, errorf(codeInvalidPipeline, "computed fields inside of documents are not supported: '%s'", name)
		}
		expr, err := parseExpression(v)
		if err != nil {
			return nil, err
		}
		if _, twice := p.fields[name]; twice {
			return nil, errorf(31249, "Path collision at %s", name)
		}
		decided = true
		p.hideID = p.hideID || name == "_id"
		p.extra = append(p.extra, computed{name, expr})
	}
	p.settle(decided)
	return p, nil
}

func (s *Server) openPipeline(snap snapshot, q query, stages []stage, deadline time.Time) (stream, error) {
	source, err := s.open(snap, q, deadline)
	if err != nil {
		return nil, err
	}
	defer s.reportScan(source)
	for _, stage := range stages {
		if source, err = stage(source); err != nil {
			return nil, err
		}
	}
	return source, nil
}

// reportScan counts what a stage that reads everything has read already.
func (s *Server) reportScan(source stream) {
	for {
		switch inner := source.(type) {
		case *scan:
			inner.report()
			return
		case *window:
			source = inner.stream
		default:
			return
		}
	}
}
