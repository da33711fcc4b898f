// Tabs that arrow keys move between, as the ARIA practices describe them.

/** Make an element a list of tabs; `choose` reacts to a chosen panel. Return a function that chooses a panel by its id. */
export function createTabs(list, choose) {
  const tabs = [...list.querySelectorAll("[role=tab]")];
  function activate(tab, focus = false) {
    for (const one of tabs) {
      one.setAttribute("aria-selected", String(one === tab));
      one.tabIndex = one === tab ? 0 : -1;
    }
    if (focus) tab.focus();
    choose(tab.getAttribute("aria-controls"), tabs.map((one) => one.getAttribute("aria-controls")));
  }
  tabs.forEach((tab, i) => {
    tab.addEventListener("click", () => activate(tab));
    tab.addEventListener("keydown", (event) => {
      const to = { ArrowRight: i + 1, ArrowLeft: i - 1 + tabs.length, Home: 0, End: tabs.length - 1 }[event.key];
      if (to === undefined) return;
      event.preventDefault();
      event.stopPropagation();
      activate(tabs[to % tabs.length], true);
    });
  });
  return (id) => activate(tabs.find((tab) => tab.getAttribute("aria-controls") === id));
}
