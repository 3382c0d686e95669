// What scripts add to every page. Pages work without them.
import { showAccount } from "../site/account-name";
import { addCopyButtons } from "../site/copy-button";
import { filterLists } from "../site/filter-list";
import { liveFilters } from "../site/live-filters";
import { closeMenus } from "../site/menus";
import { focusBySlash, suggest } from "../site/search-field";
import { addThemeSwitch } from "../site/theme-switch";
import { localizeTimes } from "../site/times";
import { treePanel } from "../site/tree-panel";

addThemeSwitch();
showAccount();
localizeTimes();
addCopyButtons();
closeMenus();
suggest();
focusBySlash();
filterLists();
liveFilters();
treePanel();
