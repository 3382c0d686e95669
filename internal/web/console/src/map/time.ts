// The time of the map: now, or a moment of the past.
import { now as serverNow } from "../site/clock";
import { colour } from "../site/colour";
import { element, hiddenLabel } from "./panel";
import { readPast, type PastTerritory, type Territory } from "./queries";

const hour = 3_600_000;
const pastHours = 30 * 24;
let format: Intl.DateTimeFormat | undefined; // a browser takes long to create one
const spoken = (time: string | null) => {
  if (!time) return "Now";
  format ??= new Intl.DateTimeFormat("en-GB", { weekday: "short", day: "numeric", month: "short", hour: "2-digit", minute: "2-digit", timeZone: "UTC" });
  return `${format.format(new Date(time))} UTC`;
};

// hoursSince and hoursAfter count from the beginning of this hour: the slider has whole hours.
const thisHour = (now: Date) => Math.floor(now.getTime() / hour) * hour;
export const hoursSince = (time: string, now: Date) => Math.round((new Date(time).getTime() - thisHour(now)) / hour);
export const hoursAfter = (hours: number, now: Date) => new Date(thisHour(now) + hours * hour).toISOString();

const frames = 28; // from the beginning of a play to now
const frameTime = 700;

export interface TimeControl {
  box: HTMLElement;
  live: (text: string) => void; // writes the state of the live captures, which the present shows
  show: (time: string | null) => void; // writes the time
  say: (text: string) => void; // writes why there is nothing of the time
}

// timeControl returns the slider, which begins at a time and calls choose with others. choose reports whether it shows the
// time.
export function timeControl(begin: string | null, choose: (time: string | null) => Promise<boolean>): TimeControl {
  const status = element("output", { className: "map-live" });
  let state = "Connecting…";
  let past = false;
  const slider = element("input", { type: "range", min: String(-pastHours), max: "0", step: "1", value: "0", id: "map-hours" });
  const now = element("button", { type: "button", className: "plain small", hidden: true }, "Now");
  const play = element("button", { type: "button", className: "map-play small" }, "Play");
  if (begin) {
    const ago = hoursSince(begin, serverNow());
    slider.min = String(Math.min(-pastHours, ago));
    slider.value = String(ago);
  }
  const timeOf = () => {
    const ago = Number(slider.value);
    return ago === 0 ? null : hoursAfter(ago, serverNow());
  };
  const say = (text: string) => (status.textContent = text);
  const show = (time: string | null) => {
    past = time !== null;
    now.hidden = !past;
    say(past ? spoken(time) : state);
    slider.setAttribute("aria-valuetext", spoken(time));
  };
  const live = (text: string) => {
    state = text;
    if (!past) say(text);
  };
  show(begin);
  let timer = 0;
  let playing = false;
  slider.addEventListener("input", () => {
    const time = timeOf();
    show(time);
    stop();
    timer = window.setTimeout(() => void choose(time), 150);
  });
  now.addEventListener("click", () => {
    stop();
    slider.value = "0";
    void choose(null);
  });
  const stop = () => {
    clearTimeout(timer);
    playing = false;
    play.textContent = "Play";
  };
  // step shows the next moment of a play, until now or until it is stopped.
  const step = async (hours: number) => {
    slider.value = String(Math.min(0, Number(slider.value) + hours));
    if (!(await choose(timeOf())) || slider.value === "0") stop();
    if (playing) timer = window.setTimeout(() => void step(hours), frameTime);
  };
  play.addEventListener("click", () => {
    if (playing) return stop();
    if (slider.value === "0") slider.value = String(-7 * 24);
    playing = true;
    play.textContent = "Pause";
    void step(Math.max(1, Math.ceil(-Number(slider.value) / frames)));
  });
  const box = element("div", { className: "map-time map-box" }, hiddenLabel("map-hours", "Time"), status, play, slider, now);
  return { box, live, show, say };
}

// Past loads who held the territories at times of the past, each once. Another time cancels a load.
export class Past {
  private readonly loads = new Map<string, Promise<Map<string, PastTerritory>>>();
  private loading?: { time: string; controller: AbortController };

  cancel() {
    this.loading?.controller.abort();
    this.loading = undefined;
  }

  // at returns the territories as they were at a time.
  async at(time: string, present: Map<string, Territory>): Promise<Map<string, Territory>> {
    if (this.loading?.time !== time) this.cancel();
    let load = this.loads.get(time);
    if (!load) {
      const controller = new AbortController();
      this.loading = { time, controller };
      load = readPast(time, controller.signal).then((list) => new Map(list.map((p) => [p.territoryName, p])));
      this.loads.set(time, load);
    }
    try {
      const then = await load;
      return new Map([...present].map(([name, t]) => {
        const p = then.get(name);
        return [name, {
          ...t, unknown: !p?.known, guildUuid: p?.holder?.uuid ?? null, guildName: p?.holder?.name ?? null, guildPrefix: p?.holder?.prefix ?? null,
          colour: p?.holder ? p.holder.guild?.colour ?? colour(p.holder.uuid) : null, acquiredAt: p?.acquiredAt ?? null, hq: false, treasury: "", defences: "", resources: [],
        }];
      }));
    } catch (error) {
      this.loads.delete(time);
      throw error;
    }
  }
}
