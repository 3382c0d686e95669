import assert from "node:assert/strict";
import test from "node:test";
import { colour } from "../src/site/colour";

// graph/model/colour_test.go has the same table: a guild that is not in the store has one colour everywhere.
test("the colour of a uuid", () => {
  for (const [uuid, want] of Object.entries({
    "00000000-0000-0000-0000-000000000000": "#3997c6",
    "3f2b8c1e-7a4d-4e9b-9c55-0d1e2f3a4b5c": "#c3282a",
    "3F2B8C1E7A4D4E9B9C550D1E2F3A4B5C": "#c3282a",
    "ffffffff-ffff-ffff-ffff-ffffffffffff": "#c3312c",
    "6d0c2c53-4a0e-4c7e-8a6e-5b1f7b0c9d21": "#d34551",
  })) assert.equal(colour(uuid), want, uuid);
});
