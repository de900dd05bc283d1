/**
 * Devices that are told of alerts; this browser can become one by Web Push.
 * @module
 */
import { h, replace } from "../dom.js";
import { t } from "../i18n.js";
import * as format from "../format.js";
import { get, itemsOf, remove } from "../api.js";
import { attempt } from "../toast.js";
import { canPush, register } from "../push.js";

/** Shows it in an element. */
export async function showDevices(root, scope) {
  const again = () => attempt(() => showDevices(root, scope));
  const answer = await get("/account/devices", { signal: scope.signal });
  const devices = itemsOf(answer);
  const key = answer?.web_push_key ?? answer?.vapid_public_key ?? null;
  replace(root, h("section", { class: "panel stack" }, h("h2", {}, t("devices.title")),
    h("p", { class: "muted" }, t("devices.about")),
    h("ul", { class: "rules" }, devices.map((one) => h("li", { class: "rule" },
      h("div", { class: "grow" }, one.name ?? one.kind, " ", h("span", { class: "tag" }, one.kind), " ",
      h("span", { class: "muted" }, format.when(one.created, "day"))),
        h("button", { class: "small danger",
        onclick: () => attempt(() => remove(`/account/devices/${one.id}`)).then(again) },
        t("action.delete"))))),
    canPush() ? h("div", { class: "row" }, h("button", { class: "primary",
      onclick: async () => (await attempt(() => register(key), t("devices.added"))) && again() },
      t("devices.add")))
      : h("p", {}, t("devices.cannot"))));
}
