// What scripts add to every page. Pages work without them.
import { showAccount } from "../site/account-name";
import { addCopyButtons } from "../site/copy-button";
import { keepLive } from "../site/live";
import { filterLists } from "../site/filter-list";
import { liveFilters } from "../site/live-filters";
import { closeMenus } from "../site/menus";
import { offerPNG } from "../site/png";
import { focusByShortcut, suggest } from "../site/search-field";
import { addThemeSwitch } from "../site/theme-switch";
import { localizeTimes } from "../site/times";
import { treePanel } from "../site/tree-panel";

let showTimes = () => {};
keepLive((element) => { // before other scripts change the page
  showTimes();
  element.classList.remove("changed");
  requestAnimationFrame(() => element.classList.add("changed"));
});
addThemeSwitch();
showAccount();
showTimes = localizeTimes();
addCopyButtons();
closeMenus();
suggest();
focusByShortcut();
filterLists();
liveFilters();
treePanel();
offerPNG();
