package mongo

import "reflect"

// family is what the families of records have: each is a part of a Store.
type family struct {
	store *Store
	db    database
}

func (f *family) join(s *Store) { f.store, f.db = s, s.db }

// addFamilies joins the exported fields of a store, which are its families, to the store.
func (s *Store) addFamilies() {
	for field, value := range reflect.ValueOf(s).Elem().Fields() {
		if field.IsExported() {
			value.Addr().Interface().(interface{ join(s *Store) }).join(s)
		}
	}
}
