package terminal

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/dustin/go-humanize"
)

const (
	// redrawInterval is the shortest time between two drawings of the same step.
	redrawInterval = 100 * time.Millisecond
	// settleTime is the time after which a rate is meaningful.
	settleTime = time.Second
	// clearLine moves to the beginning of the line and deletes it.
	clearLine = "\r\x1b[K"
	// width limits the line: a longer line would wrap on a small terminal and could not be redrawn.
	width = 79
)

// Progress is a progress line on a terminal, redrawn in place. It is safe for concurrent use.
type Progress struct {
	mu      sync.Mutex
	out     io.Writer
	draws   bool
	now     func() time.Time
	step    string
	begun   time.Time // of the step
	first   int       // the work done at that time
	drawnAt time.Time
	drawn   bool
}

// NewProgress returns a progress line on out. It shows nothing unless wanted is set and out is a terminal.
func NewProgress(out io.Writer, wanted bool) *Progress {
	return &Progress{out: out, draws: wanted && Is(out), now: time.Now}
}

// Report shows the progress of a step; a total of 0 is unknown.
func (p *Progress) Report(step string, done, total int) {
	if !p.draws {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	now := p.now()
	if step != p.step || done < p.first {
		p.step, p.begun, p.first = step, now, done
	} else if now.Sub(p.drawnAt) < redrawInterval && done != total {
		return
	}
	p.drawnAt, p.drawn = now, true
	fmt.Fprint(p.out, clearLine+line(step, done, total, done-p.first, now.Sub(p.begun)))
}

// Write writes lines of text in place of the progress line, which the next Report draws again.
func (p *Progress) Write(text []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.clear()
	return p.out.Write(text)
}

// Clear deletes the line to make way for other output.
func (p *Progress) Clear() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.clear()
}

func (p *Progress) clear() {
	if p.drawn {
		p.drawn = false
		fmt.Fprint(p.out, clearLine)
	}
}

// line formats the progress line: the step, its percentage and counts, the average rate so far, and the time left. The
// last two are missing at the beginning.
func line(step string, done, total, counted int, took time.Duration) string {
	var b strings.Builder
	b.WriteString(step + ": ")
	if total > 0 {
		fmt.Fprintf(&b, "%d%%, ", 100*min(done, total)/total)
	}
	b.WriteString(humanize.Comma(int64(done)))
	if total > 0 {
		b.WriteString(" of " + humanize.Comma(int64(total)))
	}
	if rate := float64(counted) / took.Seconds(); took >= settleTime && rate > 0 {
		fmt.Fprintf(&b, ", %s/s", humanize.Comma(int64(rate+0.5)))
		if left := float64(total-done) / rate; left > 0 {
			fmt.Fprintf(&b, ", %s left", time.Duration(left*float64(time.Second)).Round(time.Second))
		}
	}
	text := b.String()
	return text[:min(len(text), width)]
}
