import assert from "node:assert/strict";
import { test } from "node:test";
import { Int64 } from "../src/json";
import { part, rowsOf } from "../src/rows";

const table = {
  columns: ["name", "n", "list"],
  rows: [["beta 10", 3, ["x", "y"]], ["Alpha", null, []], ["beta 9", new Int64("9007199254740993"), null], ["gamma", new Int64("9007199254740992"), undefined], ["", -1, [{ a: 1 }]]],
};

for (const [name, filter, order, want] of [
  ["as they come", "", null, [0, 1, 2, 3, 4]],
  ["by text, numbers in it as numbers", "", { column: "name", descending: false }, [4, 1, 2, 0, 3]],
  ["by number, exactly, empty last", "", { column: "n", descending: false }, [4, 0, 3, 2, 1]],
  ["descending, empty last too", "", { column: "n", descending: true }, [2, 3, 0, 4, 1]],
  ["an unknown column", "", { column: "x", descending: true }, [0, 1, 2, 3, 4]],
  ["every word, case ignored", "BETA y", null, [0]],
  ["a number", "9007199254740992", null, [3]],
  ["nothing", "zeta", null, []],
] as [string, string, { column: string; descending: boolean } | null, number[]][]) {
  test(name, () => assert.deepEqual(rowsOf(table, filter, order), want));
}

test("some columns of some rows", () => {
  assert.deepEqual(part(table, [1, 0], new Set(["n"])), { columns: ["name", "list"], rows: [["Alpha", []], ["beta 10", ["x", "y"]]] });
});
