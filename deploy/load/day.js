// Bots, dashboards, scanners and pages at a constant rate, for k6:
//   k6 run -e TARGET=http://127.0.0.1:8080 -e RATE=200 -e DURATION=1m deploy/load/day.js
// Start the service with --guest-rate 1000000: all requests come from one address, which has one rate limit.
import http from 'k6/http';
import { check } from 'k6';

const target = __ENV.TARGET || 'http://127.0.0.1:8080';
const rate = Number(__ENV.RATE || 50);

function scenario(exec, share) {
  return {
    executor: 'constant-arrival-rate',
    exec,
    rate: Math.max(1, Math.round(rate * share)),
    duration: __ENV.DURATION || '30s',
    preAllocatedVUs: 20,
    maxVUs: 500,
  };
}

export const options = {
  scenarios: {
    bots: scenario('bots', 0.35),
    dashboards: scenario('dashboards', 0.25),
    scanners: scenario('scanners', 0.2),
    pages: scenario('pages', 0.2),
  },
  thresholds: { http_req_failed: ['rate<0.001'], http_req_duration: ['p(99)<250'] },
};

function query(document, variables) {
  const body = JSON.stringify({ query: document, variables });
  return http.post(`${target}/graphql`, body, { headers: { 'Content-Type': 'application/json' } });
}

// setup reads the players and guilds that the requests name.
export function setup() {
  const { data } = query('{ players(first: 1000) { nodes { uuid username } } guilds(first: 100) { nodes { name } } }').json();
  return { players: data.players.nodes, guilds: data.guilds.nodes };
}

const oneOf = (list) => list[Math.floor(Math.random() * list.length)];
const expectOK = (res) => check(res, { 'status is 200 or 304': (r) => r.status === 200 || r.status === 304 });
const get = (path, headers = {}) => http.get(target + path, { headers: { 'Accept-Encoding': 'gzip', ...headers } });

let etag = '';

export function bots() {
  const res = get('/v3/guild/list/territory', etag ? { 'If-None-Match': etag } : {});
  etag = res.headers.Etag || etag;
  expectOK(res);
}

export function dashboards(world) {
  const guild = encodeURIComponent(oneOf(world.guilds).name);
  expectOK(get(oneOf(['/v3/leaderboards/warsCompletion?resultLimit=100', `/v3/guild/${guild}`, '/v3/player'])));
}

export function scanners(world) {
  expectOK(get(`/v3/player/${oneOf(world.players).uuid}?fullResult`));
}

export function pages(world) {
  expectOK(query(
    'query ($uuid: UUID!) { player(by: {uuid: $uuid}) { username online world guild { name } ranking { type position } } }',
    { uuid: oneOf(world.players).uuid },
  ));
}
