package resolvers

import (
	"bytes"
	"html"
	"regexp"
	"strconv"
	"time"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	htmlrenderer "github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// longestMarkdown limits rendered Markdown, in bytes, because rendering time can grow faster than the length. Longer
// texts are shown as plain text.
const longestMarkdown = 16 << 10

// markdown supports strikethrough, bare URLs and timestamps. Single line feeds break lines, as on the
// chat platform that the texts are copied to. HTML inside Markdown is left out.
var markdown = goldmark.New(
	goldmark.WithExtensions(extension.Strikethrough, extension.Linkify),
	goldmark.WithParserOptions(parser.WithInlineParsers(util.Prioritized(timestamps{}, 100))),
	goldmark.WithRendererOptions(htmlrenderer.WithHardWraps(),
		renderer.WithNodeRenderers(util.Prioritized(timestamps{}, 100))),
)

// markdownHTML returns Markdown with timestamps such as `<t:1763660700:R>` as sanitised HTML.
func markdownHTML(source string) string {
	var out bytes.Buffer
	if len(source) > longestMarkdown || markdown.Convert([]byte(source), &out) != nil {
		return safeHTML("<p>" + html.EscapeString(source) + "</p>")
	}
	return safeHTML(out.String())
}

// timestamps parses and renders the chat platform's timestamps. A malformed one stays text.
type timestamps struct{}

var (
	_ parser.InlineParser   = timestamps{}
	_ renderer.NodeRenderer = timestamps{}
)

var (
	timestamp     = regexp.MustCompile(`^<t:(-?[0-9]{1,12})(?::([tTdDfFR]))?>`)
	timestampKind = ast.NewNodeKind("Timestamp")
)

// moments are the time formats by style letter. R (relative to now) is rendered like f: a relative time would become
// wrong in a cached page.
var moments = map[string]string{
	"t": "15:04 UTC", "T": "15:04:05 UTC", "d": "2006-01-02 UTC", "D": "2 January 2006 UTC",
	"f": "2 January 2006 15:04 UTC", "F": "Monday, 2 January 2006 15:04 UTC", "R": "2 January 2006 15:04 UTC",
	"": "2 January 2006 15:04 UTC",
}

type moment struct {
	ast.BaseInline
	at    time.Time
	style string
}

func (*moment) Kind() ast.NodeKind { return timestampKind }

func (m *moment) Dump(source []byte, level int) {
	ast.DumpHelper(m, source, level, map[string]string{"At": m.at.String(), "Style": m.style}, nil)
}

func (timestamps) Trigger() []byte { return []byte{'<'} }

func (timestamps) Parse(_ ast.Node, block text.Reader, _ parser.Context) ast.Node {
	line, _ := block.PeekLine()
	found := timestamp.FindSubmatch(line)
	if found == nil {
		return nil
	}
	seconds, err := strconv.ParseInt(string(found[1]), 10, 64)
	if at := time.Unix(seconds, 0).UTC(); err == nil && 1 <= at.Year() && at.Year() <= 9999 {
		block.Advance(len(found[0]))
		return &moment{at: at, style: string(found[2])}
	}
	return nil
}

func (timestamps) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	r.Register(timestampKind, func(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
		if m := n.(*moment); entering {
			_, _ = w.WriteString(`<time datetime="` + m.at.Format(time.RFC3339) + `">` + m.at.Format(moments[m.style]) +
				`</time>`)
		}
		return ast.WalkContinue, nil
	})
}
