import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import test from "node:test";
import { onKey } from "../src/keys";

test("keys of a composition are for the input method", () => {
  const target = new EventTarget();
  const keys: string[] = [];
  onKey(target as HTMLElement, ({ key }) => keys.push(key));
  for (const state of [{ isComposing: true }, { keyCode: 229 }, {}]) {
    target.dispatchEvent(Object.assign(new Event("keydown"), { key: JSON.stringify(state), isComposing: false, keyCode: 13, ...state }));
  }
  assert.deepEqual(keys, ["{}"]);
});

test("every listener for keys looks at compositions", () => {
  const files = readdirSync("src", { recursive: true, encoding: "utf8" }).filter((name) => /\.tsx?$/.test(name) && name !== "keys.ts");
  for (const name of files) {
    const text = readFileSync(`src/${name}`, "utf8");
    assert.doesNotMatch(text, /"key(down|up|press)"|\.onkey/, name);
    if (/onKey(Down|Up|Press)=/.test(text)) assert.match(text, /isComposing/, name);
  }
});
