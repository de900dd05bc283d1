/**
 * What a rule did, and why.
 * @module
 */
import { h } from "../dom.js";
import { t, tOr } from "../i18n.js";
import * as format from "../format.js";
import { get } from "../api.js";
import { blindText, reasonText } from "../firing-text.js";
import { attempt } from "../toast.js";
import { openDialog } from "../dialog.js";

/** Why a rule fired or not, and what happened to it. */
export async function showStory(rule) {
  await attempt(async () => {
    const [why, history] = await Promise.all([get(`/alerts/${rule.id}/explain`),
      get(`/alerts/${rule.id}/history`)]);
    await openDialog(t("alert.story"), () => h("div", { class: "stack" },
      h("p", { lang: "en", dir: "auto" }, h("b", {}, why.why ?? "")),
      h("dl", { class: "facts" }, facts(why).map(([name, value]) =>
        h("div", {}, h("dt", {}, name), h("dd", {}, value)))),
      h("h3", {}, t("alert.history")),
      h("ul", { class: "plain" }, (history.items ?? history).map((event) => h("li", {},
        h("time", { class: "muted num", datetime: event.time }, format.when(event.time)), " ",
        h("span", { class: "tag" }, tOr(`alert.event.${event.kind}`, event.kind)), " ", reasonText(event))))),
    { class: "wide" });
  });
}

/** What is known of the rule, each in the reader's form. */
function facts(why) {
  const time = (value) => format.when(value);
  const known = [[t("story.state"), why.state, (state) => tOr(`alert.state.${state}`, state)],
    [t("story.value"), why.value, format.number], [t("story.valueTime"), why.value_time, time],
    [t("story.lastFired"), why.last_fired, time], [t("story.cooldownUntil"), why.cooldown_until, time],
    [t("story.quietUntil"), why.quiet_until, time], [t("story.leftOut"), why.left_out, format.number],
    [t("story.rearmsAt"), why.rearms_at, format.number], [t("story.heldUntil"), why.held_until, time],
    [t("story.blindSince"), why.blind_since, time],
    [t("story.blindReason"), blindText(why.blind_reason), (text) => text], [t("story.asOf"), why.as_of, time]];
  return known.filter(([, value]) => value).map(([name, value, form]) => [name, form(value)]);
}
