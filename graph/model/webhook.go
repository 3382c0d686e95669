package model

import "time"

// MaxWebhooks is how many webhooks an account may have.
const MaxWebhooks = 10

// maxDeliveries is how many attempts a webhook remembers.
const maxDeliveries = 10

// Webhook is an address of an account that receives events. Its secret is not stored: internal/auth derives it.
type Webhook struct {
	Key     string `bson:"_id"`
	Account string `bson:"account"`
	// Place numbers the account's webhooks, which bounds how many there are.
	Place          int           `bson:"place"`
	URL            string        `bson:"url"`
	Format         WebhookFormat `bson:"format"`
	Types          []EventType   `bson:"types"` // all when empty
	GuildUuids     []string      `bson:"guilds"`
	PlayerUuids    []string      `bson:"players"`
	TerritoryNames []string      `bson:"territories"`
	CreatedAt      time.Time     `bson:"createdAt"`
	// Version rises with every change by the owner.
	Version int64 `bson:"version"`
	// Since is when it begins: events recorded before are not delivered.
	Since time.Time `bson:"since"`

	WebhookState `bson:"state"`
}

// WebhookState is how far the delivery of a webhook is.
type WebhookState struct {
	// DeliveredTo is the time up to which events were delivered, by the times in their ids. An event recorded shortly
	// before may be missing, because it became visible late: Recent are the ids of the delivered events.
	DeliveredTo time.Time `bson:"deliveredTo"`
	Recent      []string  `bson:"recent,omitempty"`
	// Failures are the failed attempts since the last delivery, FailingSince is the first of them.
	Failures     int        `bson:"failures"`
	FailingSince *time.Time `bson:"failingSince,omitempty"`
	RetryAt      *time.Time `bson:"retryAt,omitempty"`

	DisabledAt     *time.Time             `bson:"disabledAt,omitempty"`
	DisabledReason *WebhookDisabledReason `bson:"disabledReason,omitempty"`
	// Deliveries are the latest attempts, the last one first.
	Deliveries []*WebhookDelivery `bson:"deliveries,omitempty"`
}

// WebhookDelivery is an attempt to deliver an event.
type WebhookDelivery struct {
	SentAt       time.Time `bson:"sentAt"`
	EventID      string    `bson:"event"`
	Status       *int      `bson:"status,omitempty"` // nil without a response
	Error        *string   `bson:"error,omitempty"`  // nil if the event was delivered
	Milliseconds int       `bson:"milliseconds"`
}

// Enable clears failures, so that the next attempt is made at once.
func (s *WebhookState) Enable() {
	s.Failures, s.FailingSince, s.RetryAt, s.DisabledAt, s.DisabledReason = 0, nil, nil, nil, nil
}

// Disable ends deliveries until it is enabled.
func (s *WebhookState) Disable(at time.Time, reason WebhookDisabledReason) {
	s.RetryAt, s.DisabledAt, s.DisabledReason = nil, &at, &reason
}

// Record adds an attempt.
func (s *WebhookState) Record(d *WebhookDelivery) {
	s.Deliveries = append([]*WebhookDelivery{d}, s.Deliveries[:min(len(s.Deliveries), maxDeliveries-1)]...)
}
