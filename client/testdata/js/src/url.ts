export const endpoint = `${process.env.GAMEDATA_URL}/graphql`;
