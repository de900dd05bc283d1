/**
 * What a rule did, and why.
 * @module
 */
import { h } from "../dom.js";
import { t } from "../i18n.js";
import * as format from "../format.js";
import { get } from "../api.js";
import { attempt } from "../toast.js";
import { openDialog } from "../dialog.js";

/** Why a rule fired or not, and what happened to it. */
export async function showStory(rule) {
  await attempt(async () => {
    const [why, history] = await Promise.all([get(`/alerts/${rule.id}/explain`),
      get(`/alerts/${rule.id}/history`)]);
    await openDialog(t("alert.story"), () => h("div", { class: "stack" },
      h("p", {}, h("b", {}, why.why ?? "")),
      h("dl", { class: "facts" }, Object.entries(why).filter(([key, value]) => typeof value === "string"
        && key !== "why")
        .map(([key, value]) => h("div", {}, h("dt", {}, key.replaceAll("_", " ")), h("dd", {}, value)))),
      h("h3", {}, t("alert.history")),
      h("ul", { class: "plain" }, (history.items ?? history).map((event) => h("li", {},
        h("time", { class: "muted num", datetime: event.time }, format.when(event.time)), " ",
        h("span", { class: "tag" }, event.kind), " ", event.reason ?? "")))), { class: "wide" });
  });
}
