// What the chart of the console draws, and what it must draw: the document's chart, with the values of the response.
async (response, [kind, ...parts]) => {
  const { list, x, y, series } = Object.fromEntries(parts.map((part) => part.split("=")));
  const at = (value, path) => path.split(".").filter(Boolean).reduce((v, key) => v?.[key], value);
  let rows = [[(await response).data]]; // each with what contains it, itself first
  for (const path of list.split("[]")) rows = rows.flatMap((row) => at(row[0], path.replace(/^\./, "")).map((inner) => [inner, ...row]));
  const value = (row, column) => row.map((part) => at(part, column)).find((v) => v !== undefined) ?? null;
  const found = rows.filter((row) => value(row, y) !== null);
  const names = series ? [...new Set(found.map((row) => String(value(row, series))))] : [];
  const label = document.querySelector(".plot").ariaLabel;
  const size = { days: 86_400, hours: 3600, minutes: 60 }[/ \((\w+)\) on an axis/.exec(label)?.[1]] ?? 1;
  const drawnValue = (v) => (typeof v === "string" ? (Date.now() - Date.parse(v)) / 86_400_000 : v / size);
  const values = found.map((row) => drawnValue(value(row, y)));

  const [, drawnKind, points, drawn, from, to, low, high] =
    /\. (\w+): (\d+) points, series (.*), from (.*) to (.*), .* on an axis from (\S+) to (\S+)\. The table/.exec(label) ?? [];
  const wrong = [];
  const expect = (ok, text) => ok || wrong.push(text);
  expect({ line: "Line", bar: "Bar", points: "Scatter", histogram: "Histogram" }[kind] === drawnKind, `is a ${drawnKind}`);
  if (names.length <= 10) {
    expect(Number(points) === found.length, `${points} points of ${found.length} rows`);
    expect(!series || names.join(", ") === drawn, `series ${drawn}, want ${names}`);
    expect(Number(low) <= Math.min(...values) * 1.01 && Number(high) >= Math.max(...values) * 0.99, `values ${Math.min(...values)} to ${Math.max(...values)}`);
  }
  expect(Number(high) <= 3 * Math.max(...values) || Math.max(...values) === 0, "the axis is much longer than the values");
  const ends = [...found.map((row) => value(row, x))].sort((a, b) => (a > b) - (a < b));
  if (typeof ends[0] === "number" && kind !== "histogram") expect(Number(from) === ends[0] && Number(to) === ends.at(-1), `x from ${ends[0]} to ${ends.at(-1)}`);

  const canvas = document.querySelector(".plot canvas");
  const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
  for (const marker of document.querySelectorAll(".u-legend .u-series:not(:first-child) .u-marker")) {
    const colour = getComputedStyle(marker).borderTopColor.match(/\d+/g).map(Number);
    let seen = 0;
    for (let i = 0; i < data.length; i += 4) if (colour.every((c, n) => Math.abs(c - data[i + n]) < 8)) seen++;
    expect(seen > 40, `${marker.parentElement.textContent} is covered: ${seen} pixels`);
  }
  return wrong.length > 0 ? `${label}: ${wrong.join("; ")}` : "";
}
