package apidocs

import (
	"bytes"
	"fmt"
	"html/template"
	"path"
	"regexp"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"gamedata/docs"
)

// GuidesPath is where the guides are served.
const GuidesPath = "/docs/guides/"

// guide is a guide as a page.
type guide struct {
	Name, Title string
	About       string
	Contents    []heading
	HTML        template.HTML
	sections    []section
}

// heading is an entry of a table of contents.
type heading struct {
	Level    int
	ID, Text string
}

// section is the text below a heading, for searches; the first one has no heading.
type section struct{ ID, Heading, Text string }

// localAddress is the address of a service in the files, which a reader of the repository can copy.
var localAddress = regexp.MustCompile(`(http://)?\blocalhost:8080\b`)

// guideGroup is a group of guides in the order of reading.
type guideGroup struct {
	Title  string
	Guides []*guide
}

// readGuides renders all guides. Their commands get the address of this service.
func readGuides(origin string) ([]guideGroup, error) {
	served := map[string]bool{}
	for _, group := range docs.Groups {
		for _, g := range group.Guides {
			served[g.Name] = true
		}
	}
	var out []guideGroup
	for _, group := range docs.Groups {
		read := guideGroup{Title: group.Title}
		for _, g := range group.Guides {
			source, err := docs.Files.ReadFile(g.Name + ".md")
			if err != nil {
				return nil, err
			}
			page, err := readGuide(g, localAddress.ReplaceAll(source, []byte(origin)), origin, served)
			if err != nil {
				return nil, fmt.Errorf("guide %s: %w", g.Name, err)
			}
			read.Guides = append(read.Guides, page)
		}
		out = append(out, read)
	}
	return out, nil
}

// readGuide renders one guide. Links to files that are not served become text.
func readGuide(of docs.Guide, source []byte, origin string, served map[string]bool) (*guide, error) {
	root := guideMarkdown.Parser().Parse(text.NewReader(source), parser.WithContext(
		parser.NewContext(parser.WithIDs(&headingIDs{used: map[string]int{}}))))
	g := &guide{Name: of.Name, About: of.About, sections: []section{{}}}
	var blocks []ast.Node
	for n := root.FirstChild(); n != nil; n = n.NextSibling() {
		blocks = append(blocks, n)
	}
	for _, n := range blocks {
		h, isHeading := n.(*ast.Heading)
		if !isHeading {
			last := &g.sections[len(g.sections)-1]
			last.Text = strings.TrimSpace(last.Text + " " + plainText(n, source))
			continue
		}
		words := plainText(h, source)
		if h.Level == 1 {
			g.Title = words
			root.RemoveChild(root, h)
			continue
		}
		id, _ := h.AttributeString("id")
		anchor, _ := id.([]byte)
		g.Contents = append(g.Contents, heading{h.Level, string(anchor), words})
		g.sections = append(g.sections, section{ID: string(anchor), Heading: words})
	}
	if g.Title == "" {
		return nil, fmt.Errorf("it has no title")
	}
	relinkAll(root, origin, served)
	var b bytes.Buffer
	if err := guideMarkdown.Renderer().Render(&b, source, root); err != nil {
		return nil, err
	}
	g.HTML = template.HTML(b.String()) //nolint:gosec // our own text, rendered without raw HTML
	return g, nil
}

// relinkAll changes the links of a guide to those of the served pages.
func relinkAll(root ast.Node, origin string, served map[string]bool) {
	var links []*ast.Link
	_ = ast.Walk(root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if link, ok := n.(*ast.Link); ok && entering {
			links = append(links, link)
		}
		return ast.WalkContinue, nil
	})
	for _, link := range links {
		if to, ok := relink(string(link.Destination), origin, served); ok {
			link.Destination = []byte(to)
			continue
		}
		for child := link.FirstChild(); child != nil; child = link.FirstChild() {
			link.Parent().InsertBefore(link.Parent(), link, child)
		}
		link.Parent().RemoveChild(link.Parent(), link)
	}
}

// relink returns the served address of a link in a file; ok is false if there is none.
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

// plainText is the text of a node without its markup.
func plainText(n ast.Node, source []byte) string {
	var b strings.Builder
	_ = ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		switch n := n.(type) {
		case *ast.Text:
			if entering {
				b.Write(n.Segment.Value(source))
				if n.SoftLineBreak() || n.HardLineBreak() {
					b.WriteByte(' ')
				}
			}
		case *ast.CodeBlock, *ast.FencedCodeBlock:
			if entering {
				b.Write(n.Lines().Value(source))
			}
		case *extast.TableCell, *ast.ListItem:
			if !entering {
				b.WriteByte(' ')
			}
		}
		return ast.WalkContinue, nil
	})
	return strings.Join(strings.Fields(b.String()), " ")
}

var guideMarkdown = goldmark.New(
	goldmark.WithExtensions(extension.Table, extension.Strikethrough),
	goldmark.WithParserOptions(parser.WithAutoHeadingID()),
	goldmark.WithRendererOptions(renderer.WithNodeRenderers(util.Prioritized(guideRenderer{}, 1))),
)

// guideRenderer renders what is wider than a phone: tables and code scroll in a frame of their own.
type guideRenderer struct{}

func (guideRenderer) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	const begin, end = `<div class="scroll" tabindex="0"><table class="prose">`, "</table></div>\n"
	r.Register(extast.KindTable, frame(begin, end))
	r.Register(extast.KindTableCell, tableCell)
	r.Register(ast.KindFencedCodeBlock, codeBlock)
	r.Register(ast.KindCodeBlock, codeBlock)
	r.Register(ast.KindHeading, headingLine)
}

func frame(begin, end string) renderer.NodeRendererFunc {
	return func(w util.BufWriter, _ []byte, _ ast.Node, entering bool) (ast.WalkStatus, error) {
		words := end
		if entering {
			words = begin
		}
		_, err := w.WriteString(words)
		return ast.WalkContinue, err
	}
}

// tableCell renders a cell. A cell without text in the header is no header.
func tableCell(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	name := "td"
	if n.Parent().Kind() == extast.KindTableHeader && n.HasChildren() {
		name = "th"
	}
	begin := "<" + name
	switch cell, ok := n.(*extast.TableCell); {
	case !entering:
		begin = "</" + name
	case ok && cell.Alignment == extast.AlignRight:
		begin += ` class="n"`
	}
	_, err := w.WriteString(begin + ">")
	return ast.WalkContinue, err
}

func codeBlock(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	_, err := fmt.Fprintf(w, "<pre class=\"code\" tabindex=\"0\"><code>%s</code></pre>\n",
		template.HTMLEscapeString(string(n.Lines().Value(source))))
	return ast.WalkSkipChildren, err
}

// headingLine renders a heading with a link to itself.
func headingLine(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	h, ok := n.(*ast.Heading)
	if !ok {
		return ast.WalkContinue, nil
	}
	id, _ := h.AttributeString("id")
	var err error
	if entering {
		_, err = fmt.Fprintf(w, "<h%d id=\"%s\"><a class=\"anchor\" href=\"#%s\">", h.Level, id, id)
	} else {
		_, err = fmt.Fprintf(w, "</a></h%d>\n", h.Level)
	}
	return ast.WalkContinue, err
}

// headingIDs makes the ids that code forges make, so that links work in both places.
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
