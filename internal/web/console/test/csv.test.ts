import assert from "node:assert/strict";
import { test } from "node:test";
import { csv, field, ndjson } from "../src/csv";
import { Int64, jsonText, parseAsTyped, parseExact } from "../src/json";

for (const [cell, want] of [
  [null, ""],
  [undefined, ""],
  ["", '""'],
  ["plain", "plain"],
  ["Übergröße 鉱", "Übergröße 鉱"],
  ["a,b", '"a,b"'],
  ['say "hi"', '"say ""hi"""'],
  ["two\nlines", '"two\nlines"'],
  ["two\r\nlines", '"two\r\nlines"'],
  [" edge ", '" edge "'],
  [-5, "-5"],
  [1.5, "1.5"],
  [false, "false"],
  [new Int64("-9007199254740993"), "-9007199254740993"],
  // What a spreadsheet would run.
  ["=1+1", "'=1+1"],
  ["+1", "'+1"],
  ["-1", "'-1"],
  ["@SUM(A1)", "'@SUM(A1)"],
  ["\t=1", "'\t=1"],
  ["\r=1", "\"'\r=1\""],
  ['=HYPERLINK("x","y")', '"\'=HYPERLINK(""x"",""y"")"'],
  ["a=1", "a=1"],
  ["\n1", "\"'\n1\""],
  ["＝1", "'＝1"],
  [" +1", "' +1"],
  ["\u00a0－1", "'\u00a0－1"],
  ["\u200b@x", "'\u200b@x"],
  ["\ufeff＠1", "'\ufeff＠1"],
  ["\u2800\u3164﹢1", "'\u2800\u3164﹢1"],
  ["\u0000−1", "'\u0000−1"],
  [["a", 1], '"[""a"",1]"'],
] as [unknown, string][]) {
  test(`field ${jsonText(cell ?? null)} is ${JSON.stringify(want)}`, () => assert.equal(field(cell), want));
}

test("a file has a byte order mark, a header and CR LF", () => {
  assert.equal(csv({ columns: ["a.b", "c"], rows: [[1, "x,y"], [null, undefined]] }), '\uFEFFa.b,c\r\n1,"x,y"\r\n,\r\n');
});

test("NDJSON has one row per line", () => {
  assert.equal(ndjson([{ a: { b: "x\ny" } }, null, parseExact("12345678901234567890")]), '{"a":{"b":"x\\ny"}}\nnull\n12345678901234567890\n');
});

for (const text of [
  '{"n":9007199254740993,"m":-9223372036854775808,"s":"9007199254740993","k9007199254740993":1}',
  '["\\"9007199254740993",1,"a\\\\",9007199254740993]',
  '{"safe":9007199254740991,"rate":0.25,"list":[null,true,{}]}',
]) {
  test(`reading and writing keep ${text}`, () => assert.equal(jsonText(parseExact(text)), text));
}

test("variables are sent as they are typed", () => {
  const typed = '{"n":9007199254740993,"list":[1.0,-1e400,12345678901234567890e2,7,0.25,"1.0"],"s":"//, }"}';
  assert.equal(jsonText(parseAsTyped(typed)), typed);
  assert.equal(jsonText(parseAsTyped('{ // comment, "x"\n "n": [1.0, /* two\nlines */],\n}')), '{"n":[1.0]}');
  assert.throws(() => parseAsTyped('{"a":01}'), SyntaxError);
});

test("a fraction of many digits stays a number", () => {
  assert.equal(parseExact("0.12345678901234567890"), 0.12345678901234568);
  assert.equal(parseExact("12345678901234567890e2"), 1.234567890123456789e21);
});

test("invalid JSON is an error", () => {
  for (const text of ["", "<html>", '{"a":9007199254740993', "9007199254740993x"]) assert.throws(() => parseExact(text), SyntaxError);
});
