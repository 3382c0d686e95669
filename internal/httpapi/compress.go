package httpapi

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"sync"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// zstdWindow is how far back zstd looks. A decoder needs so much memory; browsers take up to
// 8 MiB.
const zstdWindow = 1 << 20

// The levels were measured on answers of 4 to 400 KB: gzip's default and zstd's "better" take
// about the same time, and zstd is then 1 to 20 % smaller (docs/caching.md).
var (
	zippers = sync.Pool{New: func() any { return gzip.NewWriter(nil) }}
	zstders = sync.Pool{New: func() any {
		// Without checksum and size, so that something can be put behind what is compressed.
		w, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBetterCompression), zstd.WithEncoderConcurrency(1),
			zstd.WithEncoderCRC(false), zstd.WithWindowSize(zstdWindow))
		if err != nil {
			return nil // the options never change
		}
		return w
	}}
)

// compressor is what gzip and zstd have in common here.
type compressor interface {
	Write([]byte) (int, error)
	Flush() error
}

// compress is a form of a body that is open at its end: ending closes it. The same body always
// gives the same bytes.
func (c coding) compress(body []byte) []byte {
	var b bytes.Buffer
	b.Grow(len(body)/4 + 256)
	var z compressor
	switch c {
	case gzipped:
		w := zippers.Get().(*gzip.Writer)
		defer zippers.Put(w)
		w.Reset(&b)
		z = w
	case zstdded:
		w := zstders.Get().(*zstd.Encoder)
		defer zstders.Put(w)
		w.Reset(&b)
		z = w
	default:
		return body
	}
	_, _ = z.Write(body) // a bytes.Buffer never fails
	_ = z.Flush()
	return b.Bytes()
}

// ending is what follows an open form of a body so that the whole is body and tail: the tail as
// it is, wrapped as the coding wants it. A tail is shorter than 64 KiB.
func (c coding) ending(to []byte, body, tail []byte, sum uint32) []byte {
	switch c {
	case gzipped: // a last block that is not compressed (RFC 1951 §3.2.4), checksum and size
		n := uint16(len(tail))
		to = append(to, 1)
		to = binary.LittleEndian.AppendUint16(to, n)
		to = binary.LittleEndian.AppendUint16(to, ^n)
		to = append(to, tail...)
		to = binary.LittleEndian.AppendUint32(to, crc32.Update(sum, crc32.IEEETable, tail))
		return binary.LittleEndian.AppendUint32(to, uint32(len(body)+len(tail)))
	case zstdded: // a last block that is not compressed (RFC 8878 §3.1.1.2)
		head := uint32(len(tail))<<3 | 1
		to = append(to, byte(head), byte(head>>8), byte(head>>16))
	}
	return append(to, tail...)
}
