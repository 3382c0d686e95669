package seed

import (
	"time"

	"gamedata/graph/model"
)

// gatePoll has everything that a poll can have: it is pinned, has public counts, a structured and a plain
// question.
func gatePoll(now time.Time) *model.Article {
	a := article("poll", "Which gate next?", now.Add(-12*day))
	a.Pinned, a.Likes, a.Recap, a.Banner = true, 12, "Vote for the next gate.", "news/gate.png"
	a.AllowDiscord, a.DiscordRecap = true, new("Vote now!")
	a.DiscordMessages = []*model.PostedMessage{
		{Part: "header", ID: "118900"},
		{Part: "footer", ID: "118903"},
		{Part: "b1", ID: "118901"},
	}
	a.Content = []*model.ArticleBlock{
		textBlock("b1", "Voting ends <t:1763660700:R>. **One vote each.**"),
		imageBlock("b2", "news/gate-map.png"),
		questionBlock("b3", &model.PollQuestion{Question: "Which gate?", Answers: []*model.PollAnswer{
			{ID: "1762000000001-e4f5g6h", Text: "South"},
			{ID: "1762000000000-a1b2c3d", Text: "North"},
			{ID: "1762000000002-z9y8x7w", Text: "Neither, build a bridge"},
		}, Requirements: []*model.PollRequirement{{Type: "highest_level", Number: new(int64(30))}}}),
		questionBlock("b4", &model.PollQuestion{
			Question: "How soon?", Override: true,
			Requirements: []*model.PollRequirement{}, Answers: []*model.PollAnswer{
				{ID: "1762000000003-0000000", Text: "This season"}, {ID: "1762000000004-0000001", Text: "When it is done"},
			},
		}),
		plainQuestion("b5", "Anything else to tell us?"),
	}
	a.Poll = &model.Poll{Public: true, Settings: []*model.PollRequirement{
		{Type: "account_age", Number: new(int64(14))},
		{Type: "content_completion", SubType: new("quest"), Text: new("The Sunken Road")},
	}, Votes: &model.PollVotes{Total: 9, Questions: []*model.QuestionVotes{
		{Block: "b3", Total: 9, Answers: []*model.AnswerVotes{
			{Answer: "1762000000001-e4f5g6h", Count: 2},
			{Answer: "1762000000000-a1b2c3d", Count: 5},
			{Answer: "1762000000002-z9y8x7w", Count: 2},
		}},
		{Block: "b4", Total: 7, Answers: []*model.AnswerVotes{
			{Answer: "1762000000003-0000000", Count: 7},
			{Answer: "1762000000004-0000001"},
		}},
	}}}
	return a
}

// secretPoll has counts that are not public.
func secretPoll(now time.Time) *model.Article {
	a := article("poll", "Keeper of the year", now.Add(-20*day))
	a.EndDate = new(now.Add(-6 * day).Truncate(time.Hour))
	a.Content = []*model.ArticleBlock{
		questionBlock("b1", &model.PollQuestion{
			Question: "Who?", Requirements: []*model.PollRequirement{},
			Answers: []*model.PollAnswer{
				{ID: "1761000000000-keeper1", Text: "The last beekeeper"}, {
					ID:   "1761000000001-keeper2",
					Text: "The night archivist",
				},
			},
		}),
	}
	a.Poll = &model.Poll{Settings: []*model.PollRequirement{}, Votes: &model.PollVotes{
		Total: 31,
		Questions: []*model.QuestionVotes{
			{Block: "b1", Total: 31, Answers: []*model.AnswerVotes{
				{Answer: "1761000000000-keeper1", Count: 20},
				{Answer: "1761000000001-keeper2", Count: 11},
			}},
		},
	}}
	return a
}

// plainPoll has one plain question without votes.
func plainPoll(now time.Time) *model.Article {
	a := article("poll", "Tell us about moths", now.Add(-6*time.Hour))
	a.Content = []*model.ArticleBlock{plainQuestion("b1", "What do moths want?")}
	a.Poll = &model.Poll{
		Public: true, Settings: []*model.PollRequirement{},
		Votes: &model.PollVotes{Questions: []*model.QuestionVotes{}},
	}
	return a
}

func questionBlock(id string, q *model.PollQuestion) *model.ArticleBlock {
	return &model.ArticleBlock{ID: id, Type: "question", Question: q, Website: true}
}

func plainQuestion(id, question string) *model.ArticleBlock {
	return &model.ArticleBlock{ID: id, Type: "question", Text: &question, Website: true}
}
