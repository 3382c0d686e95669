package seed

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"gamedata/graph/model"
)

// firstArticle is the number of the first article; special cases come first, then routine ones.
const firstArticle = 41

// Articles returns one article for each case and enough ordinary ones for several pages. Which are visible
// depends on the time of the world.
func Articles(o Options) []*model.Article {
	now := o.timestamp()
	out := []*model.Article{gatePoll(now), secretPoll(now), plainPoll(now)}
	out = append(out, newsCases(now)...)
	for i, n := range routine {
		a := article(n.kind, n.title, now.Add(-time.Duration(i*9+4)*day))
		r := source(o.Seed, forNews, uint64(i))
		a.Likes, a.Banner = int64(r.IntN(400)), pick(r, banners)
		a.Recap = n.recap
		a.Content = []*model.ArticleBlock{textBlock("b1", n.recap+"\n\n"+n.body)}
		if chance(r, 0.4) {
			a.Content = append(a.Content, imageBlock("b2", pick(r, banners)))
		}
		out = append(out, a)
	}
	for i, a := range out {
		a.Pk = firstArticle + i
	}
	return out
}

// newsCases returns articles that each demonstrate something.
func newsCases(now time.Time) []*model.Article {
	stamp := func(at time.Time, style string) string { return "<t:" + strconv.FormatInt(at.Unix(), 10) + style + ">" }
	noon := now.Truncate(day).Add(12 * time.Hour)

	welcome := article("blog", "Welcome to the noticeboard", now.Add(-40*day))
	welcome.Pinned, welcome.Likes, welcome.BannerZoom = true, 1204, 112.5
	welcome.Content = []*model.ArticleBlock{
		textBlock(
			"b1",
			"# What stands here\n\nNews of the **roads**, *polls* and `coordinates`.\n\n- Gates\n- Bridges\n- "+
				"~~Ferries~~ (sunk)\n\n"+
				"> Nobody reads the small print.\n\nMore at [the map room](https://maps.example/averne?x=1&z=2).",
		),
		textBlock("b2", "Styles of time: "+stamp(noon, "")+" "+stamp(noon, ":t")+" "+stamp(noon, ":T")+" "+stamp(noon, ":d")+
			" "+
			stamp(noon, ":D")+" "+stamp(noon, ":f")+" "+stamp(noon, ":F")+" "+stamp(noon, ":R")+
			" and one that is none: <t:soon:R>"),
		imageBlock("b3", "news/noticeboard.png"),
	}
	welcome.Content[2].Focus = true

	posted := article("blog", "The bridge is open", now.Add(-3*day))
	posted.AllowDiscord, posted.DiscordRecap = true, new("Walk across today.")
	posted.Content = []*model.ArticleBlock{textBlock("b1", "Walk across.\nMind the *third* plank.")}
	posted.DiscordMessages = []*model.PostedMessage{
		{Part: "header", ID: "118800"},
		{Part: "b1", ID: "118801"},
		{Part: "footer", ID: "118803"},
	}

	ended := article("event", "Harvest of lanterns", now.Add(-60*day))
	ended.EndDate = new(now.Add(-50 * day).Truncate(time.Hour))

	running := article("giveaway", "Seven salt lanterns", now.Add(-day))
	running.EndDate, running.RequireDiscord, running.RequireClan = new(now.Add(6*day).Truncate(time.Hour)), true, true
	running.Content = []*model.ArticleBlock{textBlock("b1", "Ends "+stamp(*running.EndDate, ":R")+". One ticket a guild.")}

	bare := article("blog", "Servers restart tonight", now.Add(-2*day))

	hidden := article("blog", "Notes of the night archivist", now.Add(-5*day))
	hidden.Visible = false
	draft := article("blog", "A draft about moths", now.Add(-5*day))
	draft.Published = false
	coming := article("event", "The thousandth candle", now.Add(5*365*day))

	// Published at the same time: the higher number comes first.
	twin, other := article("blog", "Two doors, first door", now.Add(-7*day)), article("blog", "Two doors, second door",
		now.Add(-7*day))
	return []*model.Article{welcome, posted, ended, running, bare, hidden, draft, coming, twin, other}
}

// article returns an ordinary visible article that starts at a time.
func article(kind, title string, begins time.Time) *model.Article {
	return &model.Article{
		Type: kind, Title: title, Recap: title + ".", Banner: banners[0], BannerZoom: 100, CreatedBy: "Okapi",
		Content:   []*model.ArticleBlock{},
		Published: true, Visible: true, StartDate: begins.Truncate(time.Hour),
		PublishedAt: begins.Truncate(time.Hour).Add(3512 * time.Millisecond),
		Destination: "noticeboard", DiscordMessages: []*model.PostedMessage{},
	}
}

func textBlock(id, markdown string) *model.ArticleBlock {
	return &model.ArticleBlock{ID: id, Type: "text", Text: &markdown, Discord: true, Website: true}
}

func imageBlock(id, path string) *model.ArticleBlock {
	return &model.ArticleBlock{ID: id, Type: "image", Text: &path, Website: true}
}

// Videos returns the videos of the demo world.
func Videos() []*model.Video {
	var out []*model.Video
	for i, name := range strings.Fields("moss-01 moss-02 bridge-opening lantern-row quarry-lift") {
		out = append(out, &model.Video{Position: i + 1, URI: "https://videos.example/watch?v=" + name})
	}
	return out
}

// LatestNews returns the news of the former forum, newest first. It is closed, so the dates are fixed.
func LatestNews() []*model.NewsEntry {
	entries := []*model.NewsEntry{
		{
			Title: "The bridge is open", Date: "November 20th, 2021", Author: "Okapi", Comments: "17",
			Content: "<p>Walk across.</p>",
		},
		{
			Title:    "Fish & chips & chests",
			Date:     "October 3rd, 2021",
			Author:   "Brindle",
			Comments: "0",
			Content: `<h2>Changes</h2><ul><li>More <b>fish</b></li><li>Fewer <i>chips</i></li></ul>` +
				`<p style="color: #aa0000">Chests unchanged.</p>`, //nolint:misspell // CSS
		},
		{
			Title:    "A letter of thanks",
			Date:     "June 1st, 2021",
			Author:   "Okapi",
			Comments: "212",
			Content: `<blockquote>Ten thousand steps!</blockquote><p>See <a href="https://forum.example/threads/12" ` +
				`target="_blank">the thread</a>.<br>With love`,
		},
		{
			Title: "Plain words", Date: "April 9th, 2021", Author: "Heron", Comments: "3",
			Content: "No markup at all, 1 < 2 & 3 > 2.",
		},
		{
			Title:    "An old joke",
			Date:     "April 1st, 2021",
			Author:   "Heron",
			Comments: "48",
			Content: `<p>Boo!</p><script>document.title = "haunted"</script><img ` +
				`src="https://pictures.example/ghost.png" alt="a ghost" onload="haunt()">`,
		},
		{Title: "The first post", Date: "January 2nd, 2019", Author: "Okapi", Comments: "1", Content: ""},
	}
	for i, e := range entries {
		e.ForumThread = fmt.Sprintf("https://forum.example/threads/%d", 41-i)
	}
	return entries
}
