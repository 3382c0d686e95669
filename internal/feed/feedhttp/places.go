package feedhttp

import "sync"

const (
	maxRunning       = 8 // requests of one instance
	maxSenderRunning = maxRunning / 2
)

// places limits concurrent requests in total and per sender. One sender cannot take every place.
type places struct {
	mu      sync.Mutex
	running int
	senders map[string]int
}

// take reports whether one more request of a sender may run.
func (p *places) take(sender string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.running == maxRunning || p.senders[sender] == maxSenderRunning {
		return false
	}
	p.running++
	p.senders[sender]++
	return true
}

func (p *places) release(sender string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.running--
	p.senders[sender]--
	if p.senders[sender] == 0 {
		delete(p.senders, sender)
	}
}
