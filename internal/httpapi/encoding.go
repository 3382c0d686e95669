package httpapi

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"sync"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// zstdWindow is the match distance of zstd, and the memory a decoder needs; browsers accept up to 8 MiB.
const zstdWindow = 1 << 20

// The levels were measured on responses of 4 to 400 KB: gzip's default and zstd's "better" take
// about the same time, and zstd is then 1 to 20 % smaller (docs/caching.md).
var (
	gzipWriters = sync.Pool{New: func() any { return gzip.NewWriter(nil) }}
	zstdWriters = sync.Pool{New: func() any {
		// Without checksum and size, so that a suffix can follow the compressed body.
		w, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBetterCompression), zstd.WithEncoderConcurrency(1),
			zstd.WithEncoderCRC(false), zstd.WithWindowSize(zstdWindow))
		if err != nil {
			return nil // the options never change
		}
		return w
	}}
)

// compressor is the common part of gzip and zstd writers.
type compressor interface {
	Write([]byte) (int, error)
	Flush() error
}

// compress returns a body that is not terminated: appendSuffix terminates it. The same body always
// gives the same bytes.
func (c coding) compress(body []byte) []byte {
	var b bytes.Buffer
	b.Grow(len(body)/4 + 256)
	var z compressor
	switch c {
	case gzipped:
		w := gzipWriters.Get().(*gzip.Writer)
		defer gzipWriters.Put(w)
		w.Reset(&b)
		z = w
	case zstdded:
		w := zstdWriters.Get().(*zstd.Encoder)
		defer zstdWriters.Put(w)
		w.Reset(&b)
		z = w
	default:
		return body
	}
	_, _ = z.Write(body) // a bytes.Buffer never fails
	_ = z.Flush()
	return b.Bytes()
}

// appendSuffix appends what terminates a compressed body and adds a suffix to it: the suffix itself, uncompressed, in
// a last block of the coding. So the compressed body of a cached GraphQL response is made once although
// extensions.cache, at its end, changes every second (BenchmarkSuffix). A suffix is shorter than 64 KiB.
func (c coding) appendSuffix(buf, body, suffix []byte, sum uint32) []byte {
	switch c {
	case gzipped: // a stored block (RFC 1951, section 3.2.4), checksum and size
		n := uint16(len(suffix))
		buf = append(buf, 1)
		buf = binary.LittleEndian.AppendUint16(buf, n)
		buf = binary.LittleEndian.AppendUint16(buf, ^n)
		buf = append(buf, suffix...)
		buf = binary.LittleEndian.AppendUint32(buf, crc32.Update(sum, crc32.IEEETable, suffix))
		return binary.LittleEndian.AppendUint32(buf, uint32(len(body)+len(suffix)))
	case zstdded: // a raw block (RFC 8878, section 3.1.1.2)
		head := uint32(len(suffix))<<3 | 1
		buf = append(buf, byte(head), byte(head>>8), byte(head>>16))
	}
	return append(buf, suffix...)
}
