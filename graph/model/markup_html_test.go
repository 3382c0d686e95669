package model

import (
	"testing"
)

func TestMarkupPages(t *testing.T) {
	for name, c := range map[string]struct{ in, safe string }{
		"source": {
			"§7a\n\uE01B§lb", "<span class='font-ascii' style='color:#AAAAAA'>a<br><span class='font-common'>\uE01B</span></span>" +
				"<span class='font-ascii' style='color:#AAAAAA'><span class='font-ascii' style='font-weight:bolder'>b</span></span>",
		},
		"too many closed": {
			"<span class='font-ascii'>a</span></span></br>b", "<span class='font-ascii'>a</span><br>b",
		},
		"not closed": {
			"<span class='font-ascii'>a<span class='font-common'>\uE01B",
			"<span class='font-ascii'>a<span class='font-common'>\uE01B</span></span>",
		},
		"icon within": {
			"<span class='font-profession'><span class='font-ascii'>x</span>y</span>z",
			"<span class='font-profession'><span class='font-ascii'>x</span>y</span>z",
		},
		"bare ampersand": {"salt & ash", "salt &amp; ash"},
		"entities":       {"&lt;b&gt; &amp;lt;", "&lt;b&gt; &amp;lt;"},
		"four styles": {
			"<span class='font-ascii' style='margin-left: 10.5px'>a</span><span class='font-ascii' style='text-decoration: underline'>b</span>",
			"<span class='font-ascii' style='margin-left: 10.5px'>a</span><span class='font-ascii' style='text-decoration: underline'>b</span>",
		},
		"other style": {"<span class='font-ascii' style='position:fixed'>a</span>", "<span class='font-ascii'>a</span>"},
		"two styles": {
			"<span class='font-ascii' style='color:#AAAAAA;font-weight:bolder'>a</span>",
			"<span class='font-ascii'>a</span>",
		},
		"far margin": {
			"<span class='font-ascii' style='margin-left: 9999px'>a</span>",
			"<span class='font-ascii'>a</span>",
		},
		"other class": {"<span class='admin'>a</span>b", "ab"},
		"other attributes": {
			"<span onclick='x()' style='color:#aaaaaa' class='font-ascii' id=q>a</span>",
			"<span class='font-ascii' style='color:#aaaaaa'>a</span>",
		},
		"other elements": {"<a href='javascript:x()'>a</a><script>x()</script><img src=x onerror=y>", "a"},
		"comment":        {"a<!-- <b> -->b", "ab"},
		"quoted signs":   {"<span class='font-ascii'>§7a</span>", "<span class='font-ascii'>&#167;7a</span>"},
		"odd spelling":   {`<SPAN CLASS="font-ascii">a</Br>b<br/>`, "<span class='font-ascii'>a<br>b<br></span>"},
		"invalid UTF-8":  {"a\xffb", "a\uFFFDb"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := SafeHTML(Markup(c.in)); got != c.safe {
				t.Errorf("SafeHTML(%q)\n got %q\nwant %q", c.in, got, c.safe)
			}
			checkSafe(t, c.in)
		})
	}
}
