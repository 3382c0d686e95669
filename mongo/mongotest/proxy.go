package mongotest

import (
	"context"
	"encoding/binary"
	"errors"
	"io"
	"net"
	"slices"
	"sync"
	"testing"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo/options"

	"gamedata/mongo"
)

// Proxy is between the driver and a server and understands MongoDB's wire protocol: a test decides for each command
// whether the server or the proxy replies, and with what. It is a Dialer for mongo.Options.
type Proxy struct {
	server options.ContextDialer

	mu     sync.Mutex
	decide func(Command) Action // nil forwards every command
	conns  map[net.Conn]bool
}

// Command is a command on its way to the server.
type Command struct {
	// Name is the name of the command, such as "find"; Collection the string beside it, or "".
	Name, Collection string
	// Address is the server to which the driver sent it.
	Address string
	// Body is the command without the documents that are sent beside it. It is valid during the call.
	Body bson.Raw
}

// Action says what the proxy does with a command. The zero Action forwards it.
type Action struct {
	// Reply, when set, is the reply; the server does not get the command.
	Reply bson.D
	// Without names arguments that are removed before the server gets the command.
	Without []string
	// Amend, when set, changes the server's reply.
	Amend func(reply bson.D) bson.D
	// HangUp closes the connection instead of replying; with Forward the server gets the command.
	HangUp, Forward bool
}

var _ options.ContextDialer = (*Proxy)(nil)

// NewProxy returns a proxy to the server that another dialer reaches. It forwards every command.
func NewProxy(server options.ContextDialer) *Proxy {
	return &Proxy{server: server, conns: map[net.Conn]bool{}}
}

// WithProxy makes a store reach its server through a proxy, which is stored in p. A proxy may break commits, so the
// driver gives them up as early as in the service.
func WithProxy(p **Proxy) func(*mongo.Options) {
	return func(o *mongo.Options) {
		*p = NewProxy(o.Dialer)
		o.Dialer, o.CommitTimeout = *p, 0
	}
}

// WithoutTransactions makes the server of a store a standalone one, which has no transactions.
func WithoutTransactions(o *mongo.Options) {
	p := NewProxy(o.Dialer)
	o.Dialer = p
	p.Handle(func(c Command) Action {
		if c.Name != "hello" {
			return Action{}
		}
		return Action{Amend: func(reply bson.D) bson.D {
			return slices.DeleteFunc(reply, func(e bson.E) bool { return e.Key == "setName" })
		}}
	})
}

// Handle sets the function that decides about commands from now on; nil forwards every command. Several goroutines call
// it at once.
func (p *Proxy) Handle(decide func(Command) Action) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.decide = decide
}

// Cut closes all connections. New ones can be made.
func (p *Proxy) Cut() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for conn := range p.conns {
		_ = conn.Close()
	}
}

// CommandFailure returns the reply of a server that rejects a command with a code and labels.
func CommandFailure(code int, labels ...string) bson.D {
	return labelled(bson.D{
		{Key: "ok", Value: 0.0},
		{Key: "errmsg", Value: "injected"},
		{Key: "code", Value: int32(code)},
		{Key: "codeName", Value: "Injected"},
	}, labels)
}

// WriteFailure returns the reply to a write command whose first write failed.
func WriteFailure(code int, labels ...string) bson.D {
	return labelled(bson.D{{Key: "ok", Value: 1.0}, {Key: "n", Value: int32(0)}, {Key: "writeErrors", Value: bson.A{bson.D{
		{Key: "index", Value: int32(0)},
		{Key: "code", Value: int32(code)},
		{Key: "errmsg", Value: "injected"},
	}}}}, labels)
}

// WriteConcernFailure returns a function that adds to the reply of a write that its write concern was not
// satisfied: use it as Action.Amend.
func WriteConcernFailure(code int, labels ...string) func(bson.D) bson.D {
	return func(reply bson.D) bson.D {
		return labelled(append(reply, bson.E{Key: "writeConcernError", Value: bson.D{
			{Key: "code", Value: int32(code)},
			{Key: "errmsg", Value: "injected"},
		}}), labels)
	}
}

func labelled(reply bson.D, labels []string) bson.D {
	if len(labels) > 0 {
		reply = append(reply, bson.E{Key: "errorLabels", Value: labels})
	}
	return reply
}

// DialContext connects to the server.
func (p *Proxy) DialContext(ctx context.Context, network, address string) (net.Conn, error) {
	far, err := p.server.DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	near, end := net.Pipe()
	p.connect(address, end, far)
	return near, nil
}

// Listen makes the proxy accept connections from any process of this machine until the end of the test, for a server
// with an address: see Server.Address. It returns the address of the proxy.
func (p *Proxy) Listen(t testing.TB, server string) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	address := listener.Addr().String()
	go func() {
		for {
			near, err := listener.Accept()
			if err != nil {
				return
			}
			far, err := p.server.DialContext(context.Background(), "tcp", server)
			if err != nil {
				_ = near.Close()
				continue
			}
			p.connect(address, near, far)
		}
	}()
	return address
}

// connect relays between the ends of a connection.
func (p *Proxy) connect(address string, near, far net.Conn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.conns[near], p.conns[far] = true, true
	go p.relay(address, near, far)
}

// relay serves one connection of the driver until either side ends it.
func (p *Proxy) relay(address string, near, far net.Conn) {
	defer func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		for _, conn := range []net.Conn{near, far} {
			_ = conn.Close()
			delete(p.conns, conn)
		}
	}()
	for {
		request, err := readMessage(near)
		if err != nil {
			return
		}
		reply, err := p.exchange(address, request, far)
		if err != nil {
			return
		}
		if _, err := near.Write(reply); err != nil {
			return
		}
	}
}

// errHungUp ends a connection.
var errHungUp = errors.New("the proxy hung up")

func (p *Proxy) exchange(address string, request message, far net.Conn) (message, error) {
	p.mu.Lock()
	decide := p.decide
	p.mu.Unlock()
	var action Action
	if c, ok := request.command(); ok && decide != nil {
		c.Address = address
		action = decide(c)
	}
	if action.Reply != nil {
		return request.reply(action.Reply)
	}
	if action.HangUp && !action.Forward {
		return nil, errHungUp
	}
	request, err := request.without(action.Without)
	if err != nil {
		return nil, err
	}
	if _, err := far.Write(request); err != nil {
		return nil, err
	}
	reply, err := readMessage(far)
	if err == nil && action.Amend != nil {
		reply, err = request.amended(reply, action.Amend)
	}
	if err == nil && action.HangUp {
		err = errHungUp
	}
	return reply, err
}

// message is a message of the wire protocol with its header of 16 bytes. The driver speaks OP_MSG, and
// OP_QUERY for its first command; compressed messages are forwarded unread.
type message []byte

const (
	opReply    = 1
	opQuery    = 2004
	opMsg      = 2013
	headerSize = 16
	maxMessage = 64 << 20
)

func readMessage(r io.Reader) (message, error) {
	var size [4]byte
	if _, err := io.ReadFull(r, size[:]); err != nil {
		return nil, err
	}
	n := binary.LittleEndian.Uint32(size[:])
	if n < headerSize || n > maxMessage {
		return nil, errors.New("not a message of the wire protocol")
	}
	m := make(message, n)
	copy(m, size[:])
	_, err := io.ReadFull(r, m[4:])
	return m, err
}

func (m message) number(at int) uint32 { return binary.LittleEndian.Uint32(m[at:]) }

func (m message) opCode() uint32 { return m.number(12) }

// document returns the command or the reply; nil if it cannot be read.
func (m message) document() bson.Raw {
	at := 0
	switch m.opCode() {
	case opMsg:
		at = headerSize + 5 // flags, and the kind of the first section: the driver sends the body first
	case opReply:
		at = headerSize + 20 // flags, cursor, first position, count
	case opQuery:
		name := slices.Index(m[headerSize+4:], 0)
		at = headerSize + 4 + name + 1 + 8 // flags, name of the collection, skip, limit
	default:
		return nil
	}
	if len(m) < at+5 || uint64(at)+uint64(m.number(at)) > uint64(len(m)) {
		return nil
	}
	return bson.Raw(m[at : at+int(m.number(at))])
}

func (m message) command() (Command, bool) {
	body := m.document()
	first, err := body.IndexErr(0)
	if err != nil {
		return Command{}, false
	}
	c := Command{Name: first.Key(), Body: body}
	c.Collection, _ = first.Value().StringValueOK()
	if c.Name == "getMore" {
		c.Collection, _ = body.Lookup("collection").StringValueOK()
	}
	return c, true
}

func (m message) amended(reply message, amend func(bson.D) bson.D) (message, error) {
	var document bson.D
	if err := bson.Unmarshal(reply.document(), &document); err != nil {
		return nil, err
	}
	return m.reply(amend(document))
}

// without returns the message without some arguments of its command.
func (m message) without(names []string) (message, error) {
	body := m.document()
	if len(names) == 0 || body == nil {
		return m, nil
	}
	var document bson.D
	if err := bson.Unmarshal(body, &document); err != nil {
		return nil, err
	}
	changed, err := bson.Marshal(slices.DeleteFunc(document, func(e bson.E) bool { return slices.Contains(names, e.Key) }))
	if err != nil {
		return nil, err
	}
	at := headerSize + 5 // see document
	out := slices.Concat(m[:at], changed, m[at+len(body):])
	binary.LittleEndian.PutUint32(out, uint32(len(out)))
	return out, nil
}

func (m message) reply(document bson.D) (message, error) {
	body, err := bson.Marshal(document)
	if err != nil {
		return nil, err
	}
	prefix, op := make([]byte, 5), uint32(opMsg) // no flags, a section of kind 0
	if m.opCode() == opQuery {
		prefix, op = make([]byte, 20), opReply
		prefix[0] = 8  // await capable
		prefix[16] = 1 // document
	}
	out := binary.LittleEndian.AppendUint32(nil, uint32(headerSize+len(prefix)+len(body)))
	out = binary.LittleEndian.AppendUint32(out, m.number(4))
	out = binary.LittleEndian.AppendUint32(out, m.number(4))
	out = binary.LittleEndian.AppendUint32(out, op)
	return slices.Concat(out, prefix, body), nil
}
