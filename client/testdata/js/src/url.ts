export const base = `${process.env.GAMEDATA_URL}`;
export const endpoint = `${base}/graphql`;
