package embedded

// coverage computes a projection from index entries only, where their keys contain the whole values: no numbers, lists
// and documents.
type coverage struct {
	index  *index
	wanted []bool // by index field
	buffer []byte
}

// newCoverage returns nil if the index cannot cover the projection: every included field must be a top-level field of
// the index, which is ascending and without arrays.
func newCoverage(p *plan, projection projection) *coverage {
	if p.index == nil || projection == nil || len(p.filter) > 0 || p.index.isMultikey() {
		return nil
	}
	cover := &coverage{index: p.index, wanted: make([]bool, len(p.index.fields))}
	found := 0
	for i, f := range p.index.fields {
		if f.descending {
			return nil
		}
		if sub, named := projection[f.name]; named && sub == nil {
			cover.wanted[i] = true
			found++
		}
	}
	if found != len(projection) {
		return nil
	}
	return cover
}

// read builds the document of an entry; nil if the entry does not contain enough. It is valid until the next call.
func (c *coverage) read(key []byte) raw {
	dst, at := openDoc(c.buffer[:0])
	key = key[:len(key)-recordSize]
	for i, f := range c.index.fields {
		v, rest, ok := readKey(key)
		if !ok {
			return nil
		}
		key = rest
		if c.wanted[i] {
			dst = appendValue(dst, f.name, v)
		}
	}
	c.buffer = closeDoc(dst, at)
	return c.buffer
}
