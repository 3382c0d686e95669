package model

import "time"

// MaxWebhooks is the maximum number of webhooks of an account.
const MaxWebhooks = 10

// maxDeliveries is the number of attempts that a webhook remembers.
const maxDeliveries = 10

// Webhook is an account's address that receives events. Its secret is not stored: internal/auth derives it.
type Webhook struct {
	Key     string `bson:"_id"`
	Account string `bson:"account"`
	// Place numbers the account's webhooks, which limits their number.
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
	// Since is when the webhook begins: events recorded earlier are not delivered.
	Since time.Time `bson:"since"`

	WebhookState `bson:"state"`
}

// WebhookState is the progress of a webhook's deliveries.
type WebhookState struct {
	// DeliveredTo is the time up to which events were delivered, by the times in their ids. An event recorded shortly
	// before may have become visible late and is then still due. Recent lists the ids of the events that were delivered or
	// passed over.
	DeliveredTo time.Time `bson:"deliveredTo"`
	Recent      []string  `bson:"recent,omitempty"`
	// Failures counts the failed attempts since the last delivery; FailingSince is the time of the first.
	Failures     int        `bson:"failures"`
	FailingSince *time.Time `bson:"failingSince,omitempty"`
	RetryAt      *time.Time `bson:"retryAt,omitempty"`

	DisabledAt     *time.Time             `bson:"disabledAt,omitempty"`
	DisabledReason *WebhookDisabledReason `bson:"disabledReason,omitempty"`
	// Deliveries lists the latest attempts, newest first.
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

// Enable clears failures, so the next attempt is made at once.
func (s *WebhookState) Enable() {
	s.Failures, s.FailingSince, s.RetryAt, s.DisabledAt, s.DisabledReason = 0, nil, nil, nil, nil
}

// Disable ends deliveries until the webhook is enabled again.
func (s *WebhookState) Disable(at time.Time, reason WebhookDisabledReason) {
	s.RetryAt, s.DisabledAt, s.DisabledReason = nil, &at, &reason
}

// Record adds an attempt.
func (s *WebhookState) Record(d *WebhookDelivery) {
	s.Deliveries = append([]*WebhookDelivery{d}, s.Deliveries[:min(len(s.Deliveries), maxDeliveries-1)]...)
}
