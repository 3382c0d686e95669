package seed

// banners are images of articles.
var banners = []string{
	"news/board.png", "news/gate.png", "news/bridge.png", "news/lantern.png", "news/quarry.png",
	"news/orchard.png", "news/harbour.png",
}

// routine lists the ordinary articles, newest first.
var routine = []struct{ kind, title, recap, body string }{
	{
		"blog", "Quarry lift repaired", "The lift at Tarn Quarry moves again.",
		"It is **faster** and quieter. Bring your own lamp.",
	},
	{"event", "Night of the owls", "Owls pay double for moths until dawn.", "Meet at the *Owl Gallery*."},
	{
		"blog", "Seven changes to charms", "What the charm makers did this month.",
		"1. Fewer splinters\n2. More shine\n3. The rest is a secret",
	},
	{
		"giveaway", "A year of lamp oil", "Guess how many candles burn at the Candle Steps.",
		"One guess each. The nearest wins.",
	},
	{"blog", "Ferry timetable", "The ferry leaves when it is full.", "It has not been full since spring."},
	{"event", "Moth season", "Moths everywhere. Nets at half price.", "Do **not** bring lanterns."},
	{
		"blog", "Fixes of the week", "Small things put right.",
		"- Doors close again\n- The bell rings once\n- `Goat Politics` can be finished",
	},
	{
		"blog", "A word about queues", "Why you wait, and what we do about it.",
		"Worlds fill up in the evening. Two more will open.",
	},
	{"event", "Race around Fernmoor", "On foot, no mounts, mind the marsh.", "Starts at the sluice."},
	{"blog", "Recipes rewritten", "Cooks, read this.", "Porridge is food now."},
	{"giveaway", "Ten reed boots", "Left or right, we do not know.", "Write to the keeper of the larder."},
	{"blog", "The map room moves", "New walls, same maps.", "Second door on the left behind the mirror pond."},
	{"event", "Lantern parade", "Bring light.", "The parade ends where it begins."},
	{"blog", "Voices under glass", "How the new sounds were made.", "Mostly with a spoon and a kettle."},
	{"blog", "Thanks to the testers", "You found four hundred faults.", "We found the other one."},
	{"event", "Regatta", "Boats of any size. Cursed ones too.", "Winner keeps the buoy."},
	{"blog", "On shields and towers", "How war will work next season.", "Towers stand *longer*, shields fall **sooner**."},
	{"giveaway", "Paper moons", "Fifty to give away.", "Fold with care."},
	{"blog", "Weather report", "Rain, then more rain.", "The tax on it stays as it is."},
	{"event", "Market of the sixth day", "Trade with strangers.", "No refunds."},
	{"blog", "Old roads, new stones", "The Sunken Road is dry.", "Walk on the left."},
	{"blog", "Questions we were asked", "And answers.", "> Will there be goats?\n\nThere are goats."},
	{"event", "Frost fair", "On the ice at Cold Harbour.", "Until it thaws."},
	{"blog", "Class notes: archer", "Arrows fly a little straighter.", "Wind was never real."},
	{"blog", "Class notes: shaman", "Totems hum.", "In tune, mostly."},
	{"event", "Bell ringing contest", "One bell, many ropes.", "Earplugs at the door."},
	{"blog", "How we count steps", "A long text about short distances.", "Ten thousand is a round number."},
	{"blog", "The archive burned", "Nothing of worth was lost.", "It had been copied."},
	{"giveaway", "The last lantern", "Really the last one.", "Until the next."},
	{"blog", "Bread prices", "They went up.", "Then they went down. Nobody knows why."},
	{"event", "A song for stone", "Sing to the statues.", "The one that moves wins."},
	{"blog", "The keys of Kestrel Keep", "All nine were found.", "The tenth never was."},
	{"event", "Harbour swim", "Cold, and longer than it looks.", "Towels at the far side."},
	{"blog", "A quiet year", "What happened in it.", "Little, and all of it good."},
}
