package apidocs

import (
	"bytes"
	"fmt"
	"html"
	"html/template"
	"path"
	"regexp"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	table "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"gamedata/docs"
)

// GuidesPath is where the guides are served.
const GuidesPath = "/docs/guides/"

type guide struct {
	Name, Title string
	About       string
	Contents    []heading
	HTML        template.HTML
	sections    []section
}

type heading struct {
	Level    int
	ID, Text string
}

// section is the text below a heading, for searches; the first one has no heading.
type section struct{ ID, Heading, Text string }

// localAddress matches the address of the service in the files, which readers of the repository can copy.
var localAddress = regexp.MustCompile(`(http://)?\blocalhost:8080\b`)

func readGuides(origin string) (out []*guide) {
	served := map[string]bool{}
	for _, g := range docs.Guides {
		served[g.Name] = true
	}
	for _, g := range docs.Guides {
		source, _ := docs.Files.ReadFile(g.Name + ".md")
		out = append(out, readGuide(g, localAddress.ReplaceAll(source, []byte(origin)), origin, served))
	}
	return out
}

// Parts of a rendered guide.
var (
	guideHeading = regexp.MustCompile(`<h([1-6]) id="([^"]*)">(.*?)</h[1-6]>`)
	guideLink    = regexp.MustCompile(`(?s)<a href="([^"]*)">(.*?)</a>`)
	markupTag    = regexp.MustCompile(`<[^>]*>`)
)

// guideFrames puts tables and code into frames that scroll, since they are wider than a phone, and gives code a copy
// button. A cell without text is no header.
var guideFrames = strings.NewReplacer(
	"<table>", `<div class="scroll" tabindex="0"><table class="prose">`, "</table>", "</table></div>",
	"<th></th>", "<td></td>", ` align="right"`, ` class="n"`, "<pre>", `<pre class="copy" tabindex="0">`,
)

// readGuide renders one guide. Links to files that are not served become text.
func readGuide(of docs.Guide, source []byte, origin string, served map[string]bool) *guide {
	ids := parser.NewContext(parser.WithIDs(&headingIDs{used: map[string]int{}}))
	var b bytes.Buffer
	_ = guideMarkdown.Convert(source, &b, parser.WithContext(ids)) // into memory
	title, body, _ := strings.Cut(b.String(), "</h1>\n")
	body = guideLink.ReplaceAllStringFunc(body, func(link string) string {
		parts := guideLink.FindStringSubmatch(link)
		if to, ok := relink(parts[1], origin, served); ok {
			return `<a href="` + to + `">` + parts[2] + "</a>"
		}
		return parts[2]
	})
	g := &guide{Name: of.Name, Title: plainText(title), About: of.About, sections: []section{{}}}
	begin := 0
	for _, at := range guideHeading.FindAllStringSubmatchIndex(body, -1) {
		h := heading{int(body[at[2]] - '0'), body[at[4]:at[5]], plainText(body[at[6]:at[7]])}
		g.sections[len(g.sections)-1].Text = plainText(body[begin:at[0]])
		g.Contents, g.sections = append(g.Contents, h), append(g.sections, section{ID: h.ID, Heading: h.Text})
		begin = at[1]
	}
	g.sections[len(g.sections)-1].Text = plainText(body[begin:])
	body = guideHeading.ReplaceAllString(body, `<h$1 id="$2"><a class="anchor" href="#$2">$3</a></h$1>`)
	g.HTML = template.HTML(guideFrames.Replace(body)) //nolint:gosec // our own text, rendered without raw HTML
	return g
}

// relink returns the served address of a link in a file; ok is false if its target is not served.
func relink(to, origin string, served map[string]bool) (address string, ok bool) {
	if own, found := strings.CutPrefix(to, origin); found {
		return "/" + strings.TrimPrefix(own, "/"), true
	}
	if strings.Contains(to, "://") || strings.HasPrefix(to, "#") {
		return to, true
	}
	file, anchor, _ := strings.Cut(to, "#")
	name, isGuide := strings.CutSuffix(file, ".md")
	if !isGuide || path.Base(name) != name || !served[name] {
		return "", false
	}
	if anchor != "" {
		anchor = "#" + anchor
	}
	return GuidesPath + name + anchor, true
}

func plainText(markup string) string {
	return strings.Join(strings.Fields(html.UnescapeString(markupTag.ReplaceAllString(markup, ""))), " ")
}

var guideMarkdown = goldmark.New(
	goldmark.WithExtensions(
		extension.NewTable(extension.WithTableCellAlignMethod(extension.TableCellAlignAttribute)), extension.Strikethrough,
	),
	goldmark.WithParserOptions(parser.WithAutoHeadingID(), parser.WithASTTransformers(util.Prioritized(cellLabels{}, 0))),
)

// cellLabels labels each table cell, except the first of a row, with its column's name as data-label: on a phone, cells
// are stacked.
type cellLabels struct{}

func (cellLabels) Transform(document *ast.Document, reader text.Reader, _ parser.Context) {
	_ = ast.Walk(document, func(node ast.Node, entering bool) (ast.WalkStatus, error) {
		row, ok := node.(*table.TableRow)
		if !ok || !entering {
			return ast.WalkContinue, nil
		}
		name, cell := row.Parent().FirstChild().FirstChild().NextSibling(), row.FirstChild().NextSibling()
		for ; cell != nil && name != nil; cell, name = cell.NextSibling(), name.NextSibling() {
			if label := string(name.Text(reader.Source())); label != "" { //nolint:staticcheck // one line
				cell.SetAttributeString("data-label", label)
			}
		}
		return ast.WalkContinue, nil
	})
}

// headingIDs creates the same ids as code forges, so links work in both places.
type headingIDs struct{ used map[string]int }

var notInID = regexp.MustCompile(`[^\p{L}\p{N} _-]`)

func (h *headingIDs) Generate(value []byte, _ ast.NodeKind) []byte {
	id := notInID.ReplaceAllString(strings.ToLower(string(value)), "")
	id = strings.ReplaceAll(strings.TrimSpace(id), " ", "-")
	n := h.used[id]
	h.used[id] = n + 1
	if n > 0 {
		id = fmt.Sprint(id, "-", n)
	}
	return []byte(id)
}

func (h *headingIDs) Put(value []byte) { h.used[string(value)]++ }
