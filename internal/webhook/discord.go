package webhook

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"
	"unicode"

	"github.com/dustin/go-humanize/english"

	"gamedata/graph/model"
	"gamedata/mongo"
)

const (
	// maxNames is how many players a sentence names.
	maxNames = 10
	// maxContent is how many characters Discord accepts; it always rejects a longer message.
	maxContent = 2000
)

// discordMessage is the body of a request to a webhook of Discord. It disables mentions: names must notify nobody.
func discordMessage(sentence string, kind model.EventType, at time.Time) []byte {
	type embed struct {
		Title     string    `json:"title"`
		Timestamp time.Time `json:"timestamp"`
	}
	content := []rune(strings.ToUpper(sentence[:1]) + sentence[1:])
	body, _ := json.Marshal(map[string]any{
		"content": string(content[:min(len(content), maxContent)]), "embeds": []embed{{title(string(kind)), at}},
		"allowed_mentions": map[string]any{"parse": []string{}},
	})
	return body
}

// title converts the name of a type to words: "Territory captured" for territoryCaptured.
func title(name string) string {
	var words strings.Builder
	for i, r := range name {
		switch {
		case i == 0:
			r = unicode.ToUpper(r)
		case unicode.IsUpper(r):
			words.WriteByte(' ')
			r = unicode.ToLower(r)
		}
		words.WriteRune(r)
	}
	return words.String()
}

// markdown escapes Discord's formatting characters.
var markdown = func() *strings.Replacer {
	var pairs []string
	for _, sign := range "\\*_~`|>#[]<@:" {
		pairs = append(pairs, string(sign), `\`+string(sign))
	}
	return strings.NewReplacer(pairs...)
}()

// names maps the uuids of an event's players and guilds to their names.
type names map[string]string

func (n names) player(uuid string) string { return n.of(uuid, "a player") }
func (n names) guild(uuid string) string  { return n.of(uuid, "a guild") }

func (n names) of(uuid, unknown string) string {
	if name := n[uuid]; name != "" {
		return bold(name)
	}
	return unknown
}

// party lists players, or returns fallback if there are none.
func (n names) party(uuids []string, fallback string) string {
	var list []string
	for _, uuid := range uuids[:min(len(uuids), maxNames)] {
		list = append(list, n.player(uuid))
	}
	if more := len(uuids) - len(list); more > 0 {
		list = append(list, fmt.Sprintf("%d more", more))
	}
	switch last := len(list) - 1; last {
	case -1:
		return fallback
	case 0:
		return list[0]
	default:
		return strings.Join(list[:last], ", ") + " and " + list[last]
	}
}

func bold(name string) string { return "**" + markdown.Replace(mongo.Isolate(name)) + "**" }

func guildName(g *model.EventGuild) string {
	return bold(g.Name) + markdown.Replace(" ["+mongo.Isolate(g.Prefix)+"]")
}

// sentence describes an event in plain words, with Discord's formatting.
func sentence(data model.EventData, n names) string {
	switch d := data.(type) {
	case *model.TerritoryCaptured:
		return captureSentence(d)
	case *model.PlayerCameOnline:
		return n.player(d.Player) + " came online" + phrase(" on ", d.World) + "."
	case *model.PlayerWentOffline:
		return n.player(d.Player) + " went offline."
	case *model.PlayerChangedWorld:
		return n.player(d.Player) + " changed the world" + phrase(" from ", d.From) + phrase(" to ", d.To) + "."
	case *model.PlayerRenamed:
		return bold(d.From) + " is now called " + bold(d.To) + "."
	case *model.CharacterCreated:
		return n.player(d.Player) + " created a character: " + word(d.Class) + "."
	case *model.CharacterLevelChanged:
		return fmt.Sprintf("A character of %s went from level %d to %d.", n.player(d.Player), d.From, d.To)
	case *model.CharacterDied:
		return fmt.Sprintf("A hardcore character of %s died at level %d.", n.player(d.Player), d.Level)
	case *model.GuildCreated:
		return guildName(&d.Guild) + " was founded."
	case *model.GuildDisbanded:
		return guildName(&d.Guild) + " was disbanded."
	case *model.GuildLevelChanged:
		return fmt.Sprintf("%s went from level %d to %d.", n.guild(d.Guild), d.From, d.To)
	case *model.GuildMemberJoined:
		return n.player(d.Player) + " joined " + n.guild(d.Guild) + " as " + word(d.Rank) + "."
	case *model.GuildMemberLeft:
		return n.player(d.Player) + " left " + n.guild(d.Guild) + "."
	case *model.GuildMemberRankChanged:
		return n.player(d.Player) + " went" + phraseOf(" from ", word(d.From)) + phraseOf(" to ", word(d.To)) + " in " +
			n.guild(d.Guild) + "."
	case *model.WarFinished:
		return n.guild(d.Guild) + " won a war" + phraseOf(" with ", n.party(d.Players, "")) + "."
	case *model.RaidFinished:
		return raidSentence(d, n)
	case *model.GuildWeekEnded:
		return fmt.Sprintf("%s captured %s, lost %d and won %s in week %s.", n.guild(d.Guild),
			english.Plural(d.Captured, "territory", "territories"), d.Lost, english.Plural(d.Wars, "war", ""), d.Week)
	case *model.SeasonStarted:
		return fmt.Sprintf("Season %d started.", d.Season)
	case *model.SeasonEnded:
		return fmt.Sprintf("Season %d ended.", d.Season)
	case *model.LeaderboardsRefreshed:
		return fmt.Sprintf("%d leaderboards were computed again.", len(d.Changed))
	case *model.ArticlePublished:
		return "New article: " + bold(d.Title)
	}
	return ""
}

func captureSentence(d *model.TerritoryCaptured) string {
	territory := bold(d.Territory)
	switch {
	case d.To == nil && d.From == nil:
		return territory + " is free."
	case d.To == nil:
		return guildName(d.From) + " lost " + territory + ", which is free."
	case d.From == nil:
		return guildName(d.To) + " captured " + territory + ", which was free."
	}
	return guildName(d.To) + " captured " + territory + " from " + guildName(d.From) + "."
}

func raidSentence(d *model.RaidFinished, n names) string {
	if d.Guild == nil {
		return n.party(d.Players, "a party") + " completed " + bold(d.Raid) + "."
	}
	return n.guild(*d.Guild) + " completed " + bold(d.Raid) + phraseOf(" with ", n.party(d.Players, "")) + "."
}

// phrase returns a preposition and a name, or "" without a name.
func phrase(preposition string, name *string) string {
	if name == nil {
		return ""
	}
	return phraseOf(preposition, bold(*name))
}

func phraseOf(preposition, text string) string {
	if text == "" {
		return ""
	}
	return preposition + text
}

// word converts a stored value such as DARK_WIZARD to words.
func word(stored string) string {
	return markdown.Replace(strings.ToLower(strings.ReplaceAll(stored, "_", " ")))
}
