/**
 * Says so where the page cannot be put together: a module did not come, or does not fit the others. A script of
 * its own, since no module of that page may run.
 * @module
 */
(() => {
  const app = document.getElementById("app");

  /** What goes wrong in a page that is there is said by the page; without its looks it is one, too. */
  const say = ({ target }) => {
    if (app.childElementCount || target instanceof HTMLLinkElement) return;
    app.append(document.getElementById("fault").content.cloneNode(true));
    const fault = app.firstElementChild;
    fault.querySelector("button").addEventListener("click", () => location.reload());
    // In English until there are better words.
    translate(fault).catch(() => {});
  };

  const translate = async (fault) => {
    const wanted = JSON.parse(localStorage.getItem("bitpal.settings"))?.locale ?? navigator.language;
    const language = wanted.split("-")[0].toLowerCase();
    const answer = await fetch(`/i18n/${language}.json`);
    if (!answer.ok) return;
    const words = await answer.json();
    for (const part of fault.querySelectorAll("[data-text]")) {
      part.textContent = words[part.dataset.text] ?? part.textContent;
    }
    fault.lang = language;
    fault.dir = words["page.direction"];
  };

  // Scripts that do not come tell only themselves.
  addEventListener("error", say, true);
  addEventListener("unhandledrejection", say);
})();
