package main

import (
	"errors"
	"runtime"
	"time"

	"github.com/spf13/pflag"

	"gamedata/internal/httpapi"
	"gamedata/internal/loadshed"
)

// perProcessor is how many operations run at once on each processor. One that is cold takes
// about a millisecond of it and waits for the store in between; see BenchmarkOverload.
const perProcessor = 8

// budgetFlags bound what operations take together and each.
type budgetFlags struct {
	concurrency int
	queueWait   time.Duration
	maxAnswer   byteSize
}

func (f *budgetFlags) add(flags *pflag.FlagSet) {
	flags.IntVar(&f.concurrency, "concurrency", 0,
		"operations that run at once, kept answers not counted; 0 takes 8 for each processor")
	flags.DurationVar(&f.queueWait, "queue-wait", 300*time.Millisecond,
		"longest wait of an operation for a place to run, before it is answered with 503")
	f.maxAnswer = httpapi.DefaultMaxAnswer
	flags.Var(&f.maxAnswer, "max-answer", "most bytes of one answer, 1MiB to 1GiB")
}

func (f *budgetFlags) check() error {
	switch {
	case f.concurrency < 0 || f.concurrency == 1 || f.concurrency > 100_000:
		return usageError{errors.New("--concurrency must be 0, or 2 to 100000")}
	case f.queueWait < time.Millisecond || f.queueWait > time.Minute:
		return usageError{errors.New("--queue-wait must be between 1ms and 1m")}
	case f.maxAnswer < 1<<20 || f.maxAnswer > 1<<30:
		return usageError{errors.New("--max-answer must be 1MiB to 1GiB")}
	}
	return nil
}

// gate is what operations pass. As many wait as there is room for in the time they may: they
// hold nothing but their request.
func (f *budgetFlags) gate() *loadshed.Gate {
	places := f.concurrency
	if places == 0 {
		places = perProcessor * runtime.GOMAXPROCS(0)
	}
	return loadshed.New(loadshed.Options{Places: places, Queue: 16 * places, Wait: f.queueWait})
}
