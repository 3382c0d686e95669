package model

// DropMeta says where an item drops. The kind of source is stored and returned in the form in which it
// was imported: one value or a list.
type DropMeta struct {
	Name        string    `json:"name"`
	Type        *string   `json:"type"`
	TypeList    []string  `json:"types"`
	Coordinates []float64 `json:"coordinates"`
	Event       *string   `json:"event"`
}

// Types are the kinds of source, whichever form they are stored in.
func (d *DropMeta) Types() []string {
	if d.Type != nil {
		return []string{*d.Type}
	}
	return d.TypeList
}
