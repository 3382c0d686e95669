// The icons of the console, drawn on a grid of 24.
const paths = {
  examples: "M4 5h7v6H4zM13 5h7v6h-7zM4 13h7v6H4zM13 13h7v6h-7z",
  schema: "M5 4h11l3 3v13H5zM9 10h6M9 14h6",
  builder: "M4 6h10M4 12h16M4 18h7M17 4v4M9 10v4M14 16v4",
  history: "M12 7v5l3 2M4 12a8 8 0 1 0 2.5-5.8L4 8.5M4 4v4.5h4.5",
  run: "M7 5l12 7-12 7z",
  stop: "M7 7h10v10H7z",
  close: "M7 7l10 10M17 7L7 17",
  add: "M12 5v14M5 12h14",
} as const;

export type IconName = keyof typeof paths;

export function Icon({ name }: { name: IconName }) {
  return <svg className={`icon icon-${name}`} viewBox="0 0 24 24" width="20" height="20" aria-hidden="true"><path d={paths[name]} /></svg>;
}
