import { now, readClock } from "./clock";

// Shows the times of a page relative to the clock of the service, with the time in UTC as a tooltip.
const units: [string, number][] = [
  ["year", 31_536_000], ["month", 2_592_000], ["week", 604_800], ["day", 86_400], ["hour", 3600], ["minute", 60],
];

// relativeTime returns such as "5 minutes ago" or "in 2 days".
export function relativeTime(at: Date, now: Date): string {
  const seconds = (at.getTime() - now.getTime()) / 1000;
  const past = seconds <= 0;
  const [unit, size] = units.find(([, size]) => Math.abs(seconds) >= size) ?? [];
  if (!unit || !size) return past ? "just now" : "in a moment";
  const n = Math.trunc(Math.abs(seconds) / size);
  if (unit === "day" && n === 1) return past ? "yesterday" : "tomorrow";
  const text = `${n} ${unit}${n === 1 ? "" : "s"}`;
  return past ? `${text} ago` : `in ${text}`;
}

const timeAt = (node: EventTarget | null) => node instanceof Element ? node.closest<HTMLTimeElement>("time[data-relative]") : null;

// localizeTimes shows the times of the page now and every half a minute, and returns a function that does so at once.
export function localizeTimes() {
  const show = () => {
    for (const time of document.querySelectorAll<HTMLTimeElement>("time[data-relative]")) {
      const at = new Date(time.dateTime);
      if (!Number.isNaN(at.getTime())) time.textContent = relativeTime(at, now());
    }
  };
  document.addEventListener("pointerover", ({ target }) => {
    const time = timeAt(target);
    if (time) time.title = new Date(time.dateTime).toLocaleString("en-GB", { dateStyle: "long", timeStyle: "short", timeZone: "UTC" }) + " UTC";
  });
  void readClock().then(show);
  setInterval(show, 30_000);
  return show;
}
