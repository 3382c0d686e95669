package events

import "context"

// Poll reads the log now.
func (h *Hub) Poll(ctx context.Context) { h.poll(ctx) }
