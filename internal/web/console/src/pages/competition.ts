const id = "standings";

// refresh replaces the standings by the current ones.
async function refresh(): Promise<void> {
  const response = await fetch(location.href);
  if (!response.ok) return;
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  const now = page.getElementById(id);
  if (now) document.getElementById(id)?.replaceWith(document.adoptNode(now));
}

if (document.getElementById(id)?.hasAttribute("data-running")) {
  setInterval(() => {
    if (!document.hidden) void refresh().catch(() => undefined); // the standings stay as they are
  }, 60_000);
}

export {};
