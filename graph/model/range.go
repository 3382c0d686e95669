package model

import "math"

// Numbers of the game have a range. A level is 0 to MaxLevel, the largest GraphQL Int. Counters and hours are 0 to
// MaxCounter, the largest whole number that is exact as a double. A counter of type Int counts as a level.
const (
	MaxLevel   = math.MaxInt32
	MaxCounter = 1<<53 - 1
)

type number interface{ int | int64 | float64 }

// Limited returns the number of the range, on either side of 0, that is closest to n.
func Limited[T number](n T) T {
	most := int64(MaxCounter)
	if _, level := any(n).(int); level {
		most = MaxLevel
	}
	return max(min(n, T(most)), T(-most))
}

// Raise adds to a number and keeps it within its range.
func Raise[T number](at *T, by T) { *at = Limited(Limited(*at) + Limited(by)) }
