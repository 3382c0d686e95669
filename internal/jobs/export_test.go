package jobs

import "time"

// Tests need not wait for other instances for long.
func init() { waitInterval = 5 * time.Millisecond }

// Sorter lets tests sort records.
type Sorter = sorter

// NewSorter lets tests choose the memory of a sorter.
var NewSorter = newSorter

// Add, Sorted, Close and Spilled are those of a sorter.
func (s *sorter) Add(record []byte) error                       { return s.add(record) }
func (s *sorter) Sorted() (func() ([]byte, bool, error), error) { return s.sorted() }
func (s *sorter) Close()                                        { s.close() }
func (s *sorter) Spilled() int64                                { return s.spilled }
