package events

import (
	"encoding/json"

	"gamedata/graph/model"
)

// Body encodes an event as the JSON that clients receive: id, type, at and data.
func Body(e *model.Event) []byte {
	text, _ := json.Marshal(struct { // texts and numbers
		ID   string          `json:"id"`
		Type model.EventType `json:"type"`
		At   json.RawMessage `json:"at"`
		Data model.EventData `json:"data"`
	}{e.ID, e.Type(), model.AppendDateTime(nil, e.At), e.Data})
	return text
}
