package jobs

// Sorter lets tests sort records.
type Sorter = sorter

// NewSorter returns a sorter with a file in a directory.
func NewSorter(size, memory int, dir string) *Sorter { return newSorter(size, memory, createIn(dir)) }

// File is the temporary file of a sorter.
type File = file

// WithFiles returns options by which a full refresh sorts in the files that create returns.
func (o Options) WithFiles(create func() (File, error)) Options {
	o.createTemp = create
	return o
}

// Add, Sorted and Close are methods of a sorter.
func (s *sorter) Add(record []byte) error  { return s.add(record) }
func (s *sorter) Sorted() (*stream, error) { return s.sorted() }
func (s *sorter) Close()                   { s.close() }

// Record and Advance are methods of a stream.
func (s *stream) Record() []byte { return s.record() }
func (s *stream) Advance() error { return s.advance() }
