/**
 * For operators: feeds, books by state, services, queues and deliveries, errors with what to do about each.
 * @module
 */
import { foreign, h, replace, paced } from "../dom.js";
import { t, tOr } from "../i18n.js";
import * as format from "../format.js";
import { get } from "../api.js";
import { emptyState } from "../quote-table.js";
import { isOperator } from "../session.js";
import { staleBanner } from "../stale-banner.js";

/** Shows it. */
export async function show(root, { scope }) {
  if (!isOperator()) {
    replace(root, emptyState(t("status.title"), t("status.notYours")));
    return t("status.title");
  }
  const board = new Board();
  replace(root, h("div", { class: "view-head" }, h("h1", {}, t("status.title")),
    h("p", { class: "muted" }, t("status.about"))), staleBanner(scope), board.element);
  const load = async () => board.show(await get("/status", { signal: scope.signal }));
  await load();
  // What the stream says is a reason to look; the whole comes by one request.
  const again = paced(2000, () => load().catch(() => {}));
  scope.subscribe("status", "", again);
  scope.every(10_000, again);
  return t("status.title");
}

/** What is made once, so that a place that somebody scrolled to, or that has the focus, stays. */
class Board {
  #errors = panel(t("status.errors"), h("div"));
  #feeds = panel(t("status.feeds"), table(["venue", "state", "books", "messages", "malformed", "resyncs",
    "reconnects", "detail"]));
  #queues = panel(t("status.queues"), table(["queue", "waiting", "failing", "held", "dead", "oldest",
    "detail"]));
  #services = panel(t("status.services"), table(["service", "state", "upFor", "detail"]));
  #books = panel(t("status.books"), table(["venue", "state"]));
  element = h("div", { class: "status-grid" },
    this.#errors, this.#feeds, this.#queues, this.#services, this.#books);

  show({ feeds = [], services = [], books = {}, queues = [], troubles: errors = [] }) {
    replace(this.#errors.lastElementChild, errors.length
      ? h("ul", { class: "plain troubles" }, errors.map(problem))
      : h("p", { class: "good" }, t("status.noErrors")));
    fill(this.#feeds, feeds.map((feed) => [
      feed.venue, state(feed.silent ? "silent" : feed.state), `${feed.books_live}/${feed.books_total}`,
      format.count(feed.messages_received), format.count(feed.malformed_messages), format.count(feed.resyncs),
      format.count(feed.reconnects), feed.detail && foreign(feed.detail)]));
    this.#queues.hidden = !queues.length;
    fill(this.#queues, queues.map((queue) => [
      tOr(`status.queue.${queue.name}`, queue.name), format.count(queue.waiting),
      format.count(queue.failing), format.count(queue.held), format.count(queue.dead),
      queue.oldest ? format.age(queue.oldest) : "–", queue.last_error && foreign(queue.last_error)]));
    fill(this.#services, services.map((service) => [
      service.service, state(service.silent ? "silent" : service.ready ? "ready" : "starting"),
      service.started ? format.span((Date.now() - Date.parse(service.started)) / 1000) : "–",
      service.detail ? foreign(service.detail) : figures(service.figures)]));
    fill(this.#books, Object.entries(books).map(([venue, counts]) => [venue,
      Object.entries(counts).map(([name, count]) => [state(name), ` ${format.count(count)} `])]));
  }
}

const panel = (title, content) => h("section", { class: "panel" },
  h("div", { class: "panel-head" }, h("h2", {}, title)), content);

const state = (name) => h("span", { class: "tag", dataset: { state: name } }, tOr(`status.state.${name}`, name));

const titleOf = (head) => t(`status.head.${head}`);

/** A table without rows, in a place of its own to scroll in. */
function table(heads) {
  const label = heads.map(titleOf).join(", ");
  return h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": label },
    h("table", { class: "rows" }, h("thead", {}, h("tr", {}, heads.map((head) =>
      h("th", { scope: "col" }, titleOf(head))))), h("tbody")));
}

function fill(panel, rows) {
  const heads = [...panel.querySelectorAll("thead th")].map((head) => head.textContent);
  panel.querySelector(".scroll").hidden = !rows.length;
  replace(panel.querySelector("tbody"), rows.map((row) => h("tr", {}, row.map((cell, index) =>
    h(index ? "td" : "th", index ? { "data-head": heads[index] } : { scope: "row" }, cell)))));
}

function problem(error) {
  return h("li", {}, h("p", { lang: "en", dir: "ltr" }, h("b", {}, error.subject), ` · ${error.trouble}`),
    h("p", {}, h("span", { class: "muted" }, t("status.toDo"), " "), h("span", { lang: "en", dir: "ltr" }, error.advice)));
}

const figures = (all) => Object.entries(all ?? {}).filter(([, value]) => Number(value)).map(([name,
  value]) => `${name.replaceAll("_", " ")} ${format.count(Number(value))}`).join(", ");
