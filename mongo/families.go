package mongo

import "reflect"

// family is embedded in each family of records, and links it to its Store.
type family struct {
	store *Store
	db    database
}

func (f *family) join(s *Store) { f.store, f.db = s, s.db }

// addFamilies links the families, which are the exported fields of a store, to the store.
func (s *Store) addFamilies() {
	for field, value := range reflect.ValueOf(s).Elem().Fields() {
		if field.IsExported() {
			value.Addr().Interface().(interface{ join(s *Store) }).join(s)
		}
	}
}
