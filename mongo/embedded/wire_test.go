package embedded

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"math"
	"net"
	"runtime"
	"strings"
	"testing"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/x/mongo/driver/wiremessage"
)

// frame returns a message with a correct header.
func frame(op wiremessage.OpCode, body ...byte) []byte {
	b := binary.LittleEndian.AppendUint32(nil, uint32(headerSize+len(body)))
	b = append(b, 1, 0, 0, 0, 0, 0, 0, 0)
	return append(binary.LittleEndian.AppendUint32(b, uint32(op)), body...)
}

// message is an OP_MSG with one body.
func message(tb testing.TB, v any) []byte {
	d := must(bson.Marshal(v))(tb)
	return frame(wiremessage.OpMsg, append([]byte{0, 0, 0, 0, 0}, d...)...)
}

func ping() bson.D { return d("ping", 1, "$db", "test") }

// nested is a document of a given depth.
func nested(depth int) bson.D {
	doc := bson.D{}
	for range depth - 1 {
		doc = d("d", doc)
	}
	return doc
}

// recorded is a connection on which a client has sent everything that it will send.
type recorded struct {
	net.Conn
	io.Reader
	replies bytes.Buffer
}

func (c *recorded) Read(b []byte) (int, error)  { return c.Reader.Read(b) }
func (c *recorded) Write(b []byte) (int, error) { return c.replies.Write(b) }

func exchange(s *Server, sent []byte) []byte {
	c := &recorded{Reader: bytes.NewReader(sent)}
	s.serve(c, 1)
	return c.replies.Bytes()
}

func answerOf(t *testing.T, got []byte) bson.Raw {
	t.Helper()
	if len(got) < headerSize+5 {
		t.Fatalf("answer of %d bytes", len(got))
	}
	d := bson.Raw(got[headerSize+5:])
	check(t, d.Validate())
	return d
}

func TestHostileFrames(t *testing.T) {
	s := openServer(t, Options{NoSync: true})
	good := message(t, ping())
	lie := func(at int, n uint32) []byte {
		b := bytes.Clone(good)
		binary.LittleEndian.PutUint32(b[at:], n)
		return b
	}
	for name, sent := range map[string][]byte{
		"nothing":             {},
		"half a header":       good[:7],
		"half a body":         good[:len(good)-3],
		"length zero":         lie(0, 0),
		"length below header": lie(0, 15),
		"length negative":     lie(0, math.MaxUint32),
		"length huge":         lie(0, math.MaxInt32),
		"length a large lie":  lie(0, maxMessage),
		"unknown operation":   lie(12, 2010),
		"compressed":          lie(12, 2012),
		"unknown flag":        lie(16, 1<<5),
		"checksum":            lie(16, 1<<0),
		"no reply":            lie(16, 1<<1),
		"document too long":   lie(21, 1<<20),
		"document negative":   lie(21, math.MaxUint32),
		"no section":          frame(wiremessage.OpMsg, 0, 0, 0, 0),
		"unknown section":     frame(wiremessage.OpMsg, 0, 0, 0, 0, 9, 5, 0, 0, 0, 0),
		"two bodies":          frame(wiremessage.OpMsg, 0, 0, 0, 0, 0, 5, 0, 0, 0, 0, 0, 5, 0, 0, 0, 0),
		"sequence unnamed":    frame(wiremessage.OpMsg, 0, 0, 0, 0, 1, 8, 0, 0, 0, 'a', 'b', 'c', 'd'),
		"query cut":           frame(opQuery, 0, 0, 0, 0, 'x'),
	} {
		t.Run(name, func(t *testing.T) {
			if got := exchange(s, sent); len(got) != 0 {
				t.Errorf("answered %x", got)
			}
		})
	}
	t.Run("a promise of 48 MB costs nothing", func(t *testing.T) {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		exchange(s, lie(0, maxMessage))
		runtime.ReadMemStats(&after)
		if grown := after.TotalAlloc - before.TotalAlloc; grown > 8<<20 {
			t.Errorf("allocated %d bytes", grown)
		}
	})
	t.Run("still serves", func(t *testing.T) {
		if got := answerOf(t, exchange(s, good)); got.Lookup("ok").Double() != 1 {
			t.Errorf("got %s", got)
		}
	})
}

func TestRefusedDocuments(t *testing.T) {
	s := openServer(t, Options{NoSync: true})
	insert := func(doc bson.D) bson.D { return d("insert", "c", "documents", bson.A{doc}, "$db", "test") }
	code := func(sent []byte) int32 {
		got := answerOf(t, exchange(s, sent))
		if list, ok := got.Lookup("writeErrors").ArrayOK(); ok {
			got = list.Index(0).Document()
		}
		n, _ := got.Lookup("code").AsInt64OK()
		return int32(n)
	}
	// The command and its array of documents take two levels.
	if got := code(message(t, insert(nested(maxDepth-2)))); got != 0 {
		t.Errorf("depth %d refused with %d", maxDepth, got)
	}
	if got := code(message(t, insert(nested(maxDepth-1)))); got != int32(codeOverflow) {
		t.Errorf("depth %d answered with %d", maxDepth+1, got)
	}
	if got := code(message(t, insert(nested(20_000)))); got != int32(codeOverflow) {
		t.Errorf("depth 20,000 answered with %d", got)
	}
	if got := code(message(t, insert(d("t", strings.Repeat("x", maxDocument))))); got != int32(codeDocumentTooLarge) {
		t.Errorf("17 MB answered with %d", got)
	}
	half := strings.Repeat("x", maxDocument/2)
	if got := code(message(t, insert(d("_id", 1, "t", half)))); got != 0 {
		t.Errorf("8 MB refused with %d", got)
	}
	grown := d("q", d("_id", 1), "u", d("$set", d("more", half)))
	update := d("update", "c", "updates", bson.A{grown}, "$db", "test")
	if got := code(message(t, update)); got != int32(codeDocumentTooLarge) {
		t.Errorf("an update to 16 MB answered with %d", got)
	}
	broken := message(t, ping())
	broken[headerSize+5+4] = 0x42 // the type of the first field
	if got := code(broken); got != int32(codeInvalidBSON) {
		t.Errorf("broken BSON answered with %d", got)
	}
}

// TestPanicEndsOneConnection breaks a command on purpose, in its own goroutine and in the writer.
func TestPanicEndsOneConnection(t *testing.T) {
	commands["panic"] = handler{run: func(*command) error { panic("on purpose") }}
	commands["panicInWriter"] = handler{run: func(c *command) error {
		return c.s.update(0, func(*writer) error { panic("on purpose") })
	}}
	defer delete(commands, "panic")
	defer delete(commands, "panicInWriter")
	s := openServer(t, Options{NoSync: true})
	for _, name := range []string{"panic", "panicInWriter"} {
		sent := append(message(t, d(name, 1, "$db", "test")), message(t, ping())...)
		if got := exchange(s, sent); len(got) != 0 {
			t.Errorf("%s: answered %x", name, got)
		}
	}
	if got := answerOf(t, exchange(s, message(t, ping()))); got.Lookup("ok").Double() != 1 {
		t.Errorf("got %s", got)
	}
}

func FuzzMessage(f *testing.F) {
	f.Add(message(f, ping()))
	f.Add(message(f, d("find", "c", "filter", nested(5), "$db", "d")))
	f.Add(frame(wiremessage.OpMsg, 0, 0, 0, 0, 1, 16, 0, 0, 0, 'd', 0, 5, 0, 0, 0, 0, 5, 0, 0, 0, 0, 0, 5, 0, 0, 0, 0))
	f.Add(frame(opQuery, 0, 0, 0, 0, 'a', 0, 0, 0, 0, 0, 1, 0, 0, 0, 5, 0, 0, 0, 0))
	f.Fuzz(func(t *testing.T, b []byte) {
		sent, err := readMessage(bytes.NewReader(b), nil)
		if err != nil {
			return
		}
		req, err := parseRequest(sent)
		var refused *failure
		if err != nil {
			if !errors.Is(err, errFrame) && !errors.As(err, &refused) {
				t.Fatalf("error of another kind: %v", err)
			}
			return
		}
		if err := bson.Raw(req.body).Validate(); err != nil {
			t.Fatalf("accepted what the driver refuses: %v", err)
		}
		for name := range req.body.all() {
			_ = req.body.lookup(name)
		}
	})
}
