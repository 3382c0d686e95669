package model

import "time"

// Capture is a recorded capture of a territory.
type Capture struct {
	// ID is that of the event.
	ID            string
	At            time.Time
	TerritoryName string
	From, To      *EventGuild
	HeldSeconds   *int64
}
