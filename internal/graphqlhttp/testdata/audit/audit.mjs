// Runs every audit of graphql-http against a server and prints those that do not pass as JSON: node audit.mjs URL
import { serverAudits } from "graphql-http";

const audits = serverAudits({ url: process.argv[2] });
const failed = [];
for (const audit of audits) {
  const result = await audit.fn();
  if (result.status !== "ok") {
    failed.push({ id: audit.id, name: audit.name, status: result.status, reason: result.reason });
  }
}
console.log(JSON.stringify({ count: audits.length, failed }));
