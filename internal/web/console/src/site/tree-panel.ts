/** treePanel shows what is chosen in an ability tree beside it, and counts the points of the abilities that one adds. */
export function treePanel() {
  const panel = document.querySelector<HTMLElement>(".tree-panel");
  const tree = document.querySelector(".tree");
  const counter = document.querySelector<HTMLElement>(".points");
  if (!panel || !tree || !counter) return;
  const nodes = [...tree.querySelectorAll<SVGAElement>("a")];

  const count = () => {
    const chosen = nodes.filter((node) => node.classList.contains("chosen"));
    const points = chosen.reduce((sum, node) => sum + Number(node.dataset.points), 0);
    counter.textContent = chosen.length === 0 ? "" : `${points} ability point${points === 1 ? "" : "s"} chosen`;
    counter.hidden = chosen.length === 0;
  };
  const show = (id: string) => {
    const article = document.getElementById(id);
    const node = nodes.find((n) => n.href.baseVal.endsWith(`#${id}`));
    if (!article || !node) return false;
    const copy = article.cloneNode(true) as HTMLElement;
    copy.removeAttribute("id");
    const button = document.createElement("button");
    button.className = "plain small";
    const label = () => { button.textContent = node.classList.contains("chosen") ? "Remove from build" : "Add to build"; };
    button.addEventListener("click", () => {
      node.classList.toggle("chosen");
      label();
      count();
    });
    label();
    copy.append(button);
    panel.replaceChildren(copy);
    panel.hidden = false;
    nodes.forEach((n) => n.classList.toggle("shown", n === node));
    return true;
  };
  const follow = (event: Event) => {
    const id = (event.target as Element).closest("a")?.getAttribute("href")?.split("#")[1];
    if (id && show(id)) event.preventDefault();
  };
  tree.addEventListener("click", follow);
  panel.addEventListener("click", follow);
}
