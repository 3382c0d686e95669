// Shows the times of a page relative to now, with the local time as a tooltip. The server writes them in UTC.
const units: [Intl.RelativeTimeFormatUnit, number][] = [
  ["year", 31_536_000], ["month", 2_592_000], ["week", 604_800], ["day", 86_400], ["hour", 3600], ["minute", 60],
];
const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto" });
const local = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeStyle: "short" });

// relativeTime returns such as "5 minutes ago" or "in 2 days".
export function relativeTime(at: Date, now: Date): string {
  const seconds = (at.getTime() - now.getTime()) / 1000;
  for (const [unit, size] of units) {
    if (Math.abs(seconds) >= size) return relative.format(Math.trunc(seconds / size), unit);
  }
  return seconds > 0 ? "in a moment" : "just now";
}

// localizeTimes shows the times of the page now and every half a minute, and returns a function that does so at once.
export function localizeTimes() {
  const show = () => {
    const now = new Date();
    for (const time of document.querySelectorAll<HTMLTimeElement>("time[data-relative]")) {
      const at = new Date(time.dateTime);
      if (Number.isNaN(at.getTime())) continue;
      time.title = local.format(at);
      time.textContent = relativeTime(at, now);
    }
  };
  show();
  setInterval(show, 30_000);
  return show;
}
