package load

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Limits of a mix.
const (
	maxMixBytes = 1 << 20
	maxClasses  = 20
	maxName     = 40
	maxPlayers  = 100_000
	maxGuilds   = 10_000
	maxShare    = 1_000_000
	maxStreams  = 20_000
)

// Mix describes the traffic of a load.
type Mix struct {
	// Players and Guilds are how many of them are read from the target, for placeholders.
	Players int
	Guilds  int
	Classes []Class
	Streams []Stream
}

// Class is traffic of one kind: each request is one of its paths or queries, chosen at random.
type Class struct {
	Name string
	// Share of the rate, in relation to the shares of the other classes.
	Share float64
	// ETags says that the clients send the last ETag of what they request.
	ETags bool `yaml:"etags"`
	// HonourLimits says that a caller waits for each response and, when its rate limit is spent, for quota.
	HonourLimits bool `yaml:"honour-limits"`
	// Paths are requested with GET. They may contain {uuid}, {username} and {guild}.
	Paths []string
	// Queries are sent to /graphql with POST.
	Queries []Query
}

// Stream is a number of connections that receive events, besides the requests.
type Stream struct {
	Name        string
	Connections int
	// Path is requested with GET: /events with parameters.
	Path string
}

// Query is a GraphQL document. Variables that are strings may be placeholders, as in paths.
type Query struct {
	Query     string
	Variables map[string]any
}

//go:embed mixes
var mixes embed.FS

// MixNames returns the names of the mixes of the program.
func MixNames() []string {
	entries, err := mixes.ReadDir("mixes")
	if err != nil {
		panic(err) // it is embedded
	}
	names := make([]string, len(entries))
	for i, e := range entries {
		names[i] = strings.TrimSuffix(e.Name(), ".yaml")
	}
	return names
}

// MixText returns the text of a mix of the program, or of a file.
func MixText(nameOrFile string) ([]byte, error) {
	if slices.Contains(MixNames(), nameOrFile) {
		return mixes.ReadFile(path.Join("mixes", nameOrFile+".yaml"))
	}
	f, err := os.Open(nameOrFile)
	if errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("%s is neither a file nor a mix of the program: %s", nameOrFile,
			strings.Join(MixNames(), ", "))
	} else if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxMixBytes+1))
	if len(text) > maxMixBytes {
		return nil, fmt.Errorf("%s: a mix has at most 1 MiB", nameOrFile)
	}
	return text, err
}

// ReadMix reads the mix of the program with that name, or a file, and validates it.
func ReadMix(nameOrFile string) (*Mix, error) {
	text, err := MixText(nameOrFile)
	if err != nil {
		return nil, err
	}
	m, err := parseMix(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", nameOrFile, err)
	}
	return m, nil
}

// unknownKey matches what the decoder says about a key that no field has.
var unknownKey = regexp.MustCompile(`field (\S+) not found in type \S+`)

func parseMix(text []byte) (*Mix, error) {
	d := yaml.NewDecoder(bytes.NewReader(text))
	d.KnownFields(true)
	var m Mix
	if err := d.Decode(&m); errors.Is(err, io.EOF) {
		return nil, errors.New("the mix is empty")
	} else if err != nil {
		return nil, errors.New(unknownKey.ReplaceAllString(err.Error(), `unknown key "$1"`))
	}
	return &m, m.check()
}

// check validates a mix and sets the defaults of what its placeholders need.
func (m *Mix) check() error {
	if len(m.Classes) > maxClasses || len(m.Streams) > maxClasses || len(m.Classes)+len(m.Streams) == 0 {
		return fmt.Errorf("a mix has classes or streams, at most %d of each", maxClasses)
	}
	if m.Players < 0 || m.Players > maxPlayers {
		return fmt.Errorf("players must be 0 to %d", maxPlayers)
	}
	if m.Guilds < 0 || m.Guilds > maxGuilds {
		return fmt.Errorf("guilds must be 0 to %d", maxGuilds)
	}
	names := map[string]bool{}
	for i := range m.Classes {
		c := &m.Classes[i]
		if c.Name == "" || len(c.Name) > maxName || names[c.Name] {
			return fmt.Errorf("class %d: want a unique name of at most %d bytes", i+1, maxName)
		}
		names[c.Name] = true
		if err := c.check(m); err != nil {
			return fmt.Errorf("class %q: %w", c.Name, err)
		}
	}
	for i, s := range m.Streams {
		switch {
		case s.Name == "" || len(s.Name) > maxName || names[s.Name]:
			return fmt.Errorf("stream %d: want a unique name of at most %d bytes", i+1, maxName)
		case s.Connections < 1 || s.Connections > maxStreams:
			return fmt.Errorf("stream %q: connections must be 1 to %d", s.Name, maxStreams)
		case !strings.HasPrefix(s.Path, "/"):
			return fmt.Errorf("stream %q: the path %q must begin with /", s.Name, s.Path)
		}
		names[s.Name] = true
	}
	return nil
}

// check validates a class.
func (c *Class) check(m *Mix) error {
	if !(c.Share > 0 && c.Share <= maxShare) { // NaN is neither
		return fmt.Errorf("share must be above 0 and at most %d", maxShare)
	}
	if len(c.Paths)+len(c.Queries) == 0 {
		return errors.New("want paths or queries")
	}
	for _, p := range c.Paths {
		if !strings.HasPrefix(p, "/") {
			return fmt.Errorf("the path %q must begin with /", p)
		}
		if err := m.checkPlaceholders(p); err != nil {
			return err
		}
	}
	for _, q := range c.Queries {
		if q.Query == "" {
			return errors.New("a query is empty")
		}
		for _, v := range q.Variables {
			if text, ok := v.(string); ok {
				if err := m.checkPlaceholders(text); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// placeholder matches what a path or variable has replaced.
var placeholder = regexp.MustCompile(`\{[^{}]*\}`)

func (m *Mix) checkPlaceholders(text string) error {
	for _, name := range placeholder.FindAllString(text, -1) {
		switch {
		case name != "{uuid}" && name != "{username}" && name != "{guild}":
			return fmt.Errorf("unknown placeholder %s; there are {uuid}, {username} and {guild}", name)
		case name == "{guild}" && m.Guilds == 0:
			return errors.New("{guild} wants guilds: N at the top of the mix, how many to read from the target")
		case name != "{guild}" && m.Players == 0:
			return fmt.Errorf("%s wants players: N at the top of the mix, how many to read from the target", name)
		}
	}
	return nil
}
