package simulate

import (
	"reflect"
	"strings"
)

// sharing keeps one copy of each text that records repeat, such as the names of quests: read
// from a store every record has its own, a quarter of a world's memory. The copies stand side by
// side, so that nothing is left of the memory that the others were in.
type sharing struct {
	known map[string]string
	block *strings.Builder
}

// sharedBlock is how many bytes of texts stand together.
const sharedBlock = 64 << 10

func newSharing() *sharing { return &sharing{map[string]string{}, &strings.Builder{}} }

func (s *sharing) text(t string) string {
	known, ok := s.known[t]
	if ok || t == "" {
		return known
	}
	if s.block.Cap()-s.block.Len() < len(t) {
		s.block = &strings.Builder{}
		s.block.Grow(max(sharedBlock, len(t)))
	}
	from := s.block.Len()
	s.block.WriteString(t)
	known = s.block.String()[from:]
	s.known[known] = known
	return known
}

// in goes over everything that a record leads to.
func (s *sharing) in(v reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		if v.CanSet() {
			v.SetString(s.text(v.String()))
		}
	case reflect.Pointer:
		if !v.IsNil() {
			s.in(v.Elem())
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				s.in(v.Field(i))
			}
		}
	case reflect.Slice:
		for i := range v.Len() {
			s.in(v.Index(i))
		}
	}
}
