package load

import (
	"bytes"
	"cmp"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode"

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

// Query is a GraphQL document. Strings in variables may contain placeholders, as in paths.
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
	if err := d.Decode(new(any)); !errors.Is(err, io.EOF) {
		return nil, errors.New("a mix is one YAML document")
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
		if !addName(names, c.Name) {
			return fmt.Errorf("class %d: %w", i+1, errName)
		}
		if err := c.check(m); err != nil {
			return fmt.Errorf("class %q: %w", c.Name, err)
		}
	}
	for i, s := range m.Streams {
		if !addName(names, s.Name) {
			return fmt.Errorf("stream %d: %w", i+1, errName)
		}
		if err := s.check(); err != nil {
			return fmt.Errorf("stream %q: %w", s.Name, err)
		}
	}
	return nil
}

var errName = fmt.Errorf("want a unique name of at most %d bytes on one line", maxName)

// addName adds the name of a class or stream to those before; false if it is invalid.
func addName(names map[string]bool, name string) bool {
	if name == "" || len(name) > maxName || names[name] || strings.ContainsFunc(name, unicode.IsControl) {
		return false
	}
	names[name] = true
	return true
}

// check validates a stream.
func (s *Stream) check() error {
	if s.Connections < 1 || s.Connections > maxStreams {
		return fmt.Errorf("connections must be 1 to %d", maxStreams)
	}
	if placeholder.MatchString(s.Path) {
		return fmt.Errorf("the path %q has a placeholder, which streams do not replace", s.Path)
	}
	return checkPath(s.Path)
}

func checkPath(path string) error {
	if !strings.HasPrefix(path, "/") {
		return fmt.Errorf("the path %q must begin with /", path)
	}
	if _, err := url.ParseRequestURI(path); err != nil {
		return fmt.Errorf("the path %q is not one of a URL: %w", path, errors.Unwrap(err))
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
		if err := cmp.Or(checkPath(p), m.checkPlaceholders(p)); err != nil {
			return err
		}
	}
	for _, q := range c.Queries {
		if q.Query == "" {
			return errors.New("a query is empty")
		}
		var errs []error
		replaceStrings(q.Variables, func(text string) string {
			errs = append(errs, m.checkPlaceholders(text))
			return text
		})
		if _, err := json.Marshal(q.Variables); err != nil {
			errs = append(errs, fmt.Errorf("the variables cannot be sent as JSON: %w", err))
		}
		if err := cmp.Or(errs...); err != nil {
			return err
		}
	}
	return nil
}

// replaceStrings returns a copy of a variable with other strings.
func replaceStrings(v any, replace func(string) string) any {
	switch v := v.(type) {
	case string:
		return replace(v)
	case []any:
		out := make([]any, len(v))
		for i, one := range v {
			out[i] = replaceStrings(one, replace)
		}
		return out
	case map[string]any:
		out := make(map[string]any, len(v))
		for name, one := range v {
			out[name] = replaceStrings(one, replace)
		}
		return out
	}
	return v
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
