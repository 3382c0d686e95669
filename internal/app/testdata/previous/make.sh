#!/usr/bin/env bash
# Makes the files of this directory with the previous version: a store file of a demo world with an account, and the
# /v3 responses that this version served from it. Needs git, Go, curl, jq and zstd. Run it only to support upgrades
# from another version: change `version` then.
set -euo pipefail
version=b3b3eab
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
base=http://127.0.0.1:18877
pid=
finish() {
	[ -z "$pid" ] || kill "$pid" 2>/dev/null || true
	git -C "$here" worktree remove --force "$work/source" 2>/dev/null || true
	rm -rf "$work"
}
trap finish EXIT

git -C "$here" worktree add --detach "$work/source" "$version"
(cd "$work/source" && go build -o "$work/gamedata" ./cmd/gamedata)
gamedata() { "$work/gamedata" "$@" --data-dir "$work/data"; }
export GAMEDATA_PEPPER="of a test, long enough for one" # as in the tests of internal/app

gamedata seed --players 80 --seed 7 --seed-time 2026-03-20T00:00:00Z
gamedata account create Archivist
gamedata account link Archivist "$(gamedata account link-code Salted | grep -oE '[A-Z0-9-]{8,}' | head -1)"
gamedata token create Archivist laptop | tail -1 >"$here/token.txt"
gamedata app create Archivist "Moss board" --redirect-uri https://board.example/back --scope main_access
zstd -q -19 -f "$work/data/gamedata.db" -o "$here/gamedata.db.zst"

# The responses are recorded from a copy, since serving writes to the store.
cp -r "$work/data" "$work/served"
"$work/gamedata" serve --data-dir "$work/served" --listen "${base#http://}" --guest-rate 1000000 \
	--leaderboard-refresh 0 2>"$work/log" >&2 &
pid=$!
until curl -sf "$base/readyz" >/dev/null; do sleep 0.2; done
{
	cat "$here/paths.txt"
	curl -s "$base/v3/guild/list/guild" | jq -r '.[].uuid | "/v3/guild/uuid/" + .'
	for player in Salted Veiled Okapi Pathfinder Companion; do
		echo "/v3/player/$player?fullResult"
		echo "/v3/player/$player/characters"
		curl -s "$base/v3/player/$player/characters" | jq -r 'keys[]?' | while read -r character; do
			echo "/v3/player/$player/characters/$character"
		done
	done
	for kind in blog event poll giveaway; do
		curl -s "$base/v3/publisher/articles/list/$kind" | jq -r '.results[] | "/v3/publisher/articles/fetch/\(.type)/\(.pk)"'
	done
} | while read -r path; do
	curl -s "$base$path" | jq -c --arg path "$path" '{path: $path, body: .}'
done | zstd -q -19 -f -o "$here/responses.ndjson.zst"
ls -l "$here"
