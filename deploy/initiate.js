// Creates the replica set of compose.replicaset.yaml and the user of the service, unless they exist.
try {
  rs.status();
} catch (error) {
  if (error.codeName !== "NotYetInitialized") throw error;
  const hosts = ["mongo", "mongo2", "mongo3"];
  rs.initiate({ _id: "game", members: hosts.map((host, n) => ({ _id: n, host: `${host}:27017` })) });
}
while (!db.hello().isWritablePrimary && !db.hello().primary) sleep(500);
const primary = connect(
  `mongodb://root:${encodeURIComponent(require("fs").readFileSync("/run/secrets/mongo-root", "utf8").trim())}` +
    "@mongo:27017,mongo2:27017,mongo3:27017/admin?replicaSet=game",
);
if (!primary.getUser("gamedata")) {
  primary.createUser({
    user: "gamedata",
    pwd: process.env.MONGO_PASSWORD,
    roles: [{ role: "readWrite", db: "gamedata" }],
  });
}
