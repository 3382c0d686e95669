// The tabs of a first visit. Each runs as it is against the demo world.
import guildWarRoom from "../examples/GuildWarRoom.graphql";
import itemFinder from "../examples/ItemFinder.graphql";
import leaderboardMovement from "../examples/LeaderboardMovement.graphql";
import playerPage from "../examples/PlayerPage.graphql";

export const examples = [playerPage, guildWarRoom, itemFinder, leaderboardMovement].map((query) => ({ query }));
