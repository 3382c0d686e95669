// The tabs of a new user. Each runs unchanged against the demo data.
import captures from "../examples/Captures.graphql";
import gameStatistics from "../examples/GameStatistics.graphql";
import guildWar from "../examples/GuildWar.graphql";
import itemFinder from "../examples/ItemFinder.graphql";
import leaderboardMovement from "../examples/LeaderboardMovement.graphql";
import playerHistory from "../examples/PlayerHistory.graphql";
import playerPage from "../examples/PlayerPage.graphql";

export const examples = [
  playerPage,
  guildWar,
  itemFinder,
  leaderboardMovement,
  gameStatistics,
  playerHistory,
  captures,
].map((query) => ({
  query,
}));
