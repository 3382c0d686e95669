package load

import (
	"context"
	"time"

	vegeta "github.com/tsenart/vegeta/v12/lib"
)

// schedule says when each request of a class is sent: number n at phase + n·interval after the beginning, however
// long responses take. It waits itself, since a wait of the attacker could not be ended.
type schedule struct {
	ctx      context.Context // ends the class early
	began    time.Time       // set by the first call of Pace
	phase    time.Duration   // so that classes of the same rate do not send at the same moments
	interval float64         // nanoseconds
	total    uint64          // requests
}

var _ vegeta.Pacer = (*schedule)(nil)

// newSchedule returns the schedule of class i of n, with rate requests per second.
func newSchedule(ctx context.Context, rate float64, duration time.Duration, i, n int) *schedule {
	s := &schedule{ctx: ctx, interval: float64(time.Second) / rate}
	s.phase = time.Duration(s.interval * float64(i) / float64(n))
	s.total = uint64(float64(duration)/s.interval + 0.5)
	return s
}

// at is the time after the beginning at which request n is to be sent.
func (s *schedule) at(n uint64) time.Duration { return s.phase + time.Duration(float64(n)*s.interval) }

// intended is the time at which request n is to be sent.
func (s *schedule) intended(n uint64) time.Time { return s.began.Add(s.at(n)) }

// Pace waits until the next request is to be sent. It reports true when there is none.
func (s *schedule) Pace(elapsed time.Duration, sent uint64) (time.Duration, bool) {
	if sent == 0 && s.began.IsZero() {
		s.began = time.Now().Add(-elapsed)
	}
	if sent >= s.total || s.ctx.Err() != nil {
		return 0, true
	}
	if left := s.at(sent) - elapsed; left > 0 {
		timer := time.NewTimer(left)
		defer timer.Stop()
		select {
		case <-timer.C:
		case <-s.ctx.Done():
			return 0, true
		}
	}
	return 0, false
}

// Rate is the rate in requests per second.
func (s *schedule) Rate(time.Duration) float64 { return float64(time.Second) / s.interval }
