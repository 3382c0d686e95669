package resolvers

import (
	"regexp"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

func TestMarkdown(t *testing.T) {
	for source, want := range map[string]string{
		"Voting ends <t:1763660700:R>. **One vote each.**": `<p>Voting ends <time datetime="2025-11-20T17:45:00Z">20 November 2025 17:45 UTC</time>. <strong>One vote each.</strong></p>`,
		"<t:1763660700>":      `<p><time datetime="2025-11-20T17:45:00Z">20 November 2025 17:45 UTC</time></p>`,
		"<t:1763660700:t>":    `<p><time datetime="2025-11-20T17:45:00Z">17:45 UTC</time></p>`,
		"<t:1763660700:T>":    `<p><time datetime="2025-11-20T17:45:00Z">17:45:00 UTC</time></p>`,
		"<t:1763660700:d>":    `<p><time datetime="2025-11-20T17:45:00Z">2025-11-20 UTC</time></p>`,
		"<t:1763660700:D>":    `<p><time datetime="2025-11-20T17:45:00Z">20 November 2025 UTC</time></p>`,
		"<t:1763660700:F>":    `<p><time datetime="2025-11-20T17:45:00Z">Thursday, 20 November 2025 17:45 UTC</time></p>`,
		"*<t:0:f>*":           `<p><em><time datetime="1970-01-01T00:00:00Z">1 January 1970 00:00 UTC</time></em></p>`,
		"<t:-86400>":          `<p><time datetime="1969-12-31T00:00:00Z">31 December 1969 00:00 UTC</time></p>`,
		"`<t:1763660700:R>`":  `<p><code>&lt;t:1763660700:R&gt;</code></p>`,
		"<t:1763660700:X>":    `<p>&lt;t:1763660700:X&gt;</p>`,
		"<t:999999999999>":    `<p>&lt;t:999999999999&gt;</p>`,
		"<t:1763660700":       `<p>&lt;t:1763660700</p>`,
		"a\nb":                `<p>a<br>b</p>`,
		"# Here":              `<h1>Here</h1>`,
		"~~old~~ # 1 < 2 & 3": `<p><del>old</del> # 1 &lt; 2 &amp; 3</p>`,
		"[gate](https://a.example/x?y=1&z=2) https://b.example": `<p><a href="https://a.example/x?y=1&amp;z=2" rel="nofollow noreferrer">gate</a> <a href="https://b.example" rel="nofollow noreferrer">https://b.example</a></p>`,
		"![map](https://a.example/m.png)":                       `<p><img src="https://a.example/m.png" alt="map"></p>`,
		"[x](javascript:alert(1)) [y](data:text/html,z)":        `<p>x y</p>`,
		"a <b onclick=x>bold</b> <script>alert(1)</script>":     `<p>a bold alert(1)</p>`,
		"<script>alert(1)</script>":                             ``,
		strings.Repeat("<b>&", 5000):                            `<p>` + strings.Repeat("&lt;b&gt;&amp;", 5000) + `</p>`,
		"":                                                      ``,
	} {
		if got := strings.ReplaceAll(markdownHTML(source), "\n", ""); got != want {
			t.Errorf("%.80q\n gives %.300s\n want  %.300s", source, got, want)
		}
	}
}

func TestSafeHTML(t *testing.T) {
	for stored, want := range map[string]string{
		"<p>Walk across.</p>":                                "<p>Walk across.</p>",
		`<p style="position:fixed" class=x id=y>a<br/>b</p>`: "<p>a<br/>b</p>",
		"<script>alert(1)</script>a":                         "a",
		"<scr<script>ipt>alert(1)</script>":                  "ipt&gt;alert(1)",
		"<style>p{}</style>b":                                "b",
		`<img src=x onerror=alert(1)>`:                       "",
		`<img src="https://a.example/p.png" onerror="x">`:    `<img src="https://a.example/p.png">`,
		`<a href="javascript:alert(1)">c</a>`:                "c",
		`<a href=" jAvA&#x53;cript:alert(1)">c</a>`:          "c",
		`<a href="data:text/html;base64,PHN2Zz4=">c</a>`:     "c",
		`<a href="https://a.example" target=_top>c</a>`:      `<a href="https://a.example" rel="nofollow noreferrer">c</a>`,
		`<iframe src="https://a.example"></iframe>d`:         "d",
		`<svg><a xlink:href="javascript:x">e</a></svg>`:      "e",
		`<math><mi//xlink:href="data:x">`:                    "",
		"<b>open":                                            "<b>open</b>",
		"<b><i>cross</b>ed</i>":                              "<b><i>cross</i></b>ed",
		"a < b && c":                                         "a &lt; b &amp;&amp; c",
		"<!-- hidden --><!DOCTYPE x>f":                       "f",
		"\xff\x00g":                                          "\uFFFD\uFFFDg",
		"<table><tr><td>cell</td></tr></table>":              "cell",
		"":                                                   "",
	} {
		got := safeHTML(stored)
		if got != want {
			t.Errorf("%q gives %q, want %q", stored, got, want)
		}
	}
	deep := safeHTML(strings.Repeat("<blockquote>", 100_000) + "text")
	if n := strings.Count(deep, "<blockquote>"); n != deepest || strings.Count(deep, "</blockquote>") != n ||
		!strings.Contains(deep, "text") {
		t.Errorf("deep nesting leaves %d elements", n)
	}
}

var (
	wanted = regexp.MustCompile(
		`^(p|br|hr|h[1-6]|ul|ol|li|blockquote|pre|code|b|strong|i|em|u|s|del|sub|sup|time|a|img)$`,
	)
	attributes = map[string]*regexp.Regexp{
		"href": regexp.MustCompile(`^https?://[^/]`), "src": regexp.MustCompile(`^https?://[^/]`),
		"alt": regexp.MustCompile(`(?s).*`),
		"rel": regexp.MustCompile(`^nofollow noreferrer$`), "start": regexp.MustCompile(`^[0-9]+$`),
		"datetime": regexp.MustCompile(`^[0-9T:Z-]+$`),
	}
)

// checkSafe parses HTML as a browser does and reports everything that is not allowed.
func checkSafe(t *testing.T, got string) {
	t.Helper()
	z := html.NewTokenizer(strings.NewReader(got))
	depth := 0
	for kind := z.Next(); kind != html.ErrorToken; kind = z.Next() {
		token := z.Token()
		switch kind {
		case html.TextToken:
			continue
		case html.EndTagToken:
			depth--
		case html.StartTagToken:
			if token.Data != "br" && token.Data != "hr" && token.Data != "img" {
				depth++
			}
		case html.SelfClosingTagToken:
		default:
			t.Errorf("%q holds a %v", got, kind)
		}
		if !wanted.MatchString(token.Data) {
			t.Errorf("%q holds <%s>", got, token.Data)
		}
		for _, a := range token.Attr {
			if rule := attributes[a.Key]; rule == nil || !rule.MatchString(a.Val) {
				t.Errorf("%q has %s=%q", got, a.Key, a.Val)
			}
		}
	}
	if depth != 0 {
		t.Errorf("%q leaves %d elements open", got, depth)
	}
	if again := safeHTML(got); again != got {
		t.Errorf("%q is sanitised to %q", got, again)
	}
}

var hostile = []string{
	"<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "<a href='javascript:x'>a</a>", "[a](javascript:x)",
	"<t:1763660700:R>", "<b><i></b>",
	"<svg/onload=x>", "<p><table><p>", "<a href='data:text/html,x'>", "<ol start='-1'><li>",
	"<noscript><p title='</noscript><img src=x>'>", "&lt;script&gt;",
	"<time datetime='2025-11-20T17:45:00Z'>", "<a href='https://a/%zz'>", "<a href='http:/\\x'>",
	"<img src='https://a/\"><script>'>", "<textarea><b>", "<plaintext>",
	"\x00<\x00b>", "<br/ >", "<hr/x=y>", "[x]: <javascript:y>\n[x]", "<https://a.example>", "<javascript:x>",
	"![a\"onerror=x](https://b)", "<<b>script>", "<A HREF=//a>",
}

func FuzzNewsHTML(f *testing.F) {
	for _, s := range hostile {
		f.Add(s)
	}
	f.Add(strings.Join(hostile, " "))
	f.Fuzz(func(t *testing.T, source string) {
		checkSafe(t, safeHTML(source))
		checkSafe(t, markdownHTML(source))
	})
}
