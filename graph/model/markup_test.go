package model

import (
	"encoding/json"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

func TestMarkupRender(t *testing.T) {
	const (
		grey   = "<span class='font-ascii' style='color:#AAAAAA'>"
		red    = "<span class='font-ascii' style='color:#FF5555'>"
		bold   = "<span class='font-ascii' style='font-weight:bolder'>"
		under  = "<span class='font-ascii' style='text-decoration: underline'>"
		common = "<span class='font-common'>"
		end    = "</span>"
	)
	for name, c := range map[string]struct{ in, want string }{
		"empty":              {"", ""},
		"no code: unchanged": {"a & <b onclick='x'>\xff</span>\n", "a & <b onclick='x'>\xff</span>\n"},
		"colour":             {"§7Swift", grey + "Swift" + end},
		"every letter case": {"§CHot§R §LOh§N!", red + "Hot" + end + " " + bold + "Oh" + end + bold + under + "!" +
			end + end},
		"text before a code":     {"plain §7grey", "plain " + grey + "grey" + end},
		"hex colour as written":  {"§#87dD47x", "<span class='font-ascii' style='color:#87dD47'>x" + end},
		"nested styles":          {"§7§l§nStorm", grey + bold + under + "Storm" + end + end + end},
		"a colour ends styles":   {"§7§nStorm§7 hits", grey + under + "Storm" + end + end + grey + " hits" + end},
		"reset":                  {"§7§la§rb", grey + bold + "a" + end + end + "b"},
		"same code twice":        {"§7a§7b", grey + "ab" + end},
		"codes without text":     {"§7§l§r§n", ""},
		"line feed":              {"§7a\nb", grey + "a</br>b" + end},
		"icon":                   {"§7\uE01B +2", grey + common + "\uE01B" + end + " +2" + end},
		"icon of a higher plane": {"§r\U0010FFFD", common + "\U0010FFFD" + end},
		"not private use":        {"§r\U000D0001", "\U000D0001"},
		"escaped":                {`§r<b a='1'>"&amp;`, "&lt;b a=&#39;1&#39;&gt;&#34;&amp;amp;"},
		"pieces in source": {
			"§7a</br><span class='font-ascii'>b</span>",
			grey + "a&lt;/br&gt;&lt;span class=&#39;font-ascii&#39;&gt;b&lt;/span&gt;" + end,
		},
		"unknown code":            {"§7§kx", grey + "&#167;kx" + end},
		"sign at the end":         {"§7x§", grey + "x&#167;" + end},
		"sign alone":              {"§", "&#167;"},
		"two signs":               {"§§7x", "&#167;" + grey + "x" + end},
		"cut-off hex colour":      {"§#12345", "&#167;#12345"},
		"no hex digit":            {"§#12345gx", "&#167;#12345gx"},
		"digits of other scripts": {"§٣x§#１２３４５６", "&#167;٣x&#167;#１２３４５６"},
		"code of two bytes":       {"§éx", "&#167;éx"},
		"invalid UTF-8":           {"§7a\xffb\xc2", grey + "a\uFFFDb\uFFFD" + end},
		"half a sign":             {"\xa77 §7x", "\uFFFD7 " + grey + "x" + end},

		"rendered, quotes signs": {grey + "§7§nStorm§7 hits</br>" + end + end, grey + "§7§nStorm§7 hits</br>" +
			end + end},
		"rendered, but a sign outside": {
			grey + "a" + end + "§7b",
			"&lt;span class=&#39;font-ascii&#39; style=&#39;color:#AAAAAA&#39;&gt;a&lt;/span&gt;" + grey + "b" + end,
		},
		"rendered, but another tag": {
			"<span class='font-ascii'>§r<b>",
			"&lt;span class=&#39;font-ascii&#39;&gt;&lt;b&gt;",
		},
		"rendered, but a second attribute": {
			"<span class='font-ascii' id='a'>§r",
			"&lt;span class=&#39;font-ascii&#39; id=&#39;a&#39;&gt;",
		},
		"rendered, but another style": {
			"<span class='font-ascii' style='color:red'>§r",
			"&lt;span class=&#39;font-ascii&#39; style=&#39;color:red&#39;&gt;",
		},
		"rendered, but a tag without end": {"<span class='font-ascii'>§r<", "&lt;span class=&#39;font-ascii&#39;&gt;&lt;"},
	} {
		t.Run(name, func(t *testing.T) {
			got := Markup(c.in).Render()
			if got != c.want {
				t.Errorf("Render(%q)\n got %q\nwant %q", c.in, got, c.want)
			}
			if again := Markup(got).Render(); again != got {
				t.Errorf("rendered again: %q", again)
			}
		})
	}
}

func TestMarkupColors(t *testing.T) {
	for i, code := range "0123456789abcdef" {
		want := "<span class='font-ascii' style='color:" + palette[i] + "'>x</span>"
		for _, c := range []string{string(code), strings.ToUpper(string(code))} {
			if got := Markup("§" + c + "x").Render(); got != want {
				t.Errorf("§%s: %s, want %s", c, got, want)
			}
		}
	}
}

func TestMarkupScalar(t *testing.T) {
	for in, want := range map[string]string{
		"§7a\"\n":    "<span class='font-ascii' style='color:#AAAAAA'>a&#34;</br></span>",
		"a\n\xff<b>": "a\n\uFFFD<b>",
	} {
		var out strings.Builder
		Markup(in).MarshalGQL(&out)
		plain, err := json.Marshal(Markup(in))
		if err != nil {
			t.Fatal(err)
		}
		for _, written := range []string{out.String(), string(plain)} {
			var got string
			if err := json.Unmarshal([]byte(written), &got); err != nil || got != want {
				t.Errorf("%q: %s (%v), want %q", in, written, err, want)
			}
		}
	}
	var m Markup
	if err := m.UnmarshalGQL("§7a"); err != nil || m != "§7a" {
		t.Errorf("UnmarshalGQL: %q, %v", m, err)
	}
	for _, v := range []any{nil, 7, true, []byte("a")} {
		if err := m.UnmarshalGQL(v); err == nil {
			t.Errorf("UnmarshalGQL(%#v): no error", v)
		}
	}
}

// checkPieces fails unless the HTML holds documented pieces and text alone. It gives the depth of
// spans left open, -1 when one is closed that was not open.
func checkPieces(t *testing.T, s string, allowed func(raw string) bool) (depth int) {
	t.Helper()
	z := html.NewTokenizer(strings.NewReader(s))
	for kind := z.Next(); kind != html.ErrorToken; kind = z.Next() {
		if kind == html.TextToken {
			continue
		}
		raw := string(z.Raw())
		if !allowed(raw) {
			t.Fatalf("%q holds %q", s, raw)
		}
		switch {
		case depth < 0 || strings.Contains(raw, "br>"):
		case kind == html.StartTagToken:
			depth++
		case kind == html.EndTagToken:
			depth--
		}
	}
	return depth
}

func checkSafe(t *testing.T, in string) {
	t.Helper()
	safe := SafeHTML(Markup(in))
	if depth := checkPieces(t, safe, func(raw string) bool {
		return raw == "<br>" || raw != "</br>" && piece.MatchString(raw)
	}); depth != 0 {
		t.Fatalf("SafeHTML(%q) = %q is not balanced", in, safe)
	}
	if again := SafeHTML(Markup(safe)); again != safe {
		t.Fatalf("SafeHTML(%q) = %q, again %q", in, safe, again)
	}
}

func FuzzMarkup(f *testing.F) {
	for _, s := range []string{
		"", "§", "§7§nStorm§7 hits\n§#12abEF\uE01B§l", "§r<script>alert(1)</script>", "§r<!--§7-->",
		"§7'><img src=x onerror=y>",
		"<span class='font-ascii' style='color:#AAAAAA'>§7x</span></span>", "<span class='font-ascii'>§7</span>§r<b>",
		"a\r\n\x00§r\r\n\x00",
		"<span class='font-ascii' style='color:#AAAAAA' style='x'>&lt;b&gt; &#167;7 &sect;7</span>",
		"<SPAN CLASS=font-common>x</BR></Span/>",
		"</br></span><br/><span><span class='font-ascii'>", "<textarea><span class='font-ascii'>", "<plaintext>§7",
		"\xc2§7\xa7",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got := Markup(s).Render()
		if !strings.Contains(s, sign) {
			if got != s {
				t.Fatalf("%q became %q", s, got)
			}
		} else if depth := checkPieces(t, got, piece.MatchString); depth != 0 && got != s {
			t.Fatalf("Render(%q) = %q is not balanced", s, got)
		}
		if again := Markup(got).Render(); again != got {
			t.Fatalf("Render(%q) = %q, again %q", s, got, again)
		}
		checkSafe(t, s)
	})
}
