package publicdump

import (
	"bufio"
	"crypto/sha256"
	"errors"
	"hash"
	"io"
	"os"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// encodings lists the formats in which each dump is written.
var encodings = []struct {
	name, suffix string
	compress     func(io.Writer) (io.WriteCloser, error)
}{
	{"zstd", ".zst", func(w io.Writer) (io.WriteCloser, error) {
		return zstd.NewWriter(w, zstd.WithEncoderConcurrency(1), zstd.WithWindowSize(1<<20))
	}},
	{"gzip", ".gz", func(w io.Writer) (io.WriteCloser, error) { return gzip.NewWriter(w), nil }},
}

// output is a compressed file with the hash of its bytes and, once closed, its size.
type output struct {
	compressor io.WriteCloser
	file       *os.File
	buffer     *bufio.Writer
	sum        hash.Hash
	size       int64
}

func newOutput(path string, compress func(io.Writer) (io.WriteCloser, error)) (*output, error) {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, filePermission)
	if err != nil {
		return nil, err
	}
	out := &output{file: file, sum: sha256.New()}
	out.buffer = bufio.NewWriterSize(io.MultiWriter(file, out.sum), 64<<10)
	out.compressor, err = compress(out.buffer)
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return out, nil
}

func (o *output) close() error {
	err := errors.Join(o.compressor.Close(), o.buffer.Flush(), o.file.Sync())
	info, statErr := o.file.Stat()
	if statErr == nil {
		o.size = info.Size()
	}
	return errors.Join(err, statErr, o.file.Close())
}
