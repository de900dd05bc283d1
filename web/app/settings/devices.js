/**
 * Devices that are told of alerts; this browser can become one by Web Push.
 * @module
 */
import { h, replace } from "../dom.js";
import { t } from "../i18n.js";
import * as format from "../format.js";
import { get, itemsOf, post, remove } from "../api.js";
import { attempt, toast } from "../toast.js";
import { canPush, ownDevice, PushRefused, register, unregister } from "../push.js";

/** Shows it in an element. */
export async function showDevices(root, scope) {
  const again = () => attempt(() => showDevices(root, scope));
  const devices = itemsOf(await get("/account/devices", { signal: scope.signal }));
  const isHere = devices.some(({ id }) => id === ownDevice());
  replace(root, h("section", { class: "panel stack" }, h("h2", {}, t("devices.title")),
    h("p", { class: "muted" }, t("devices.about")),
    devices.length > 0 ? h("ul", { class: "rules" }, devices.map((one) => row(one, again)))
      : h("p", {}, t("devices.none")),
    here(isHere, again)));
}

function row(one, again) {
  const drop = () => attempt(async () => {
    await remove(`/account/devices/${one.id}`);
    if (one.id === ownDevice()) await unregister();
  }).then(again);
  return h("li", { class: "rule" },
    h("div", { class: "grow" }, h("b", {}, one.name), " ",
      h("span", { class: "tag" }, t(`devices.kind.${one.kind === "apns" ? "apns" : "push"}`)), " ",
      one.id === ownDevice() && h("span", { class: "tag good" }, t("security.thisOne")), " ",
      one.enabled === false && h("span", { class: "tag", dataset: { state: "disabled" } }, t("alert.state.disabled")),
      h("p", { class: "muted" }, format.when(one.created, "day"))),
    h("button", { class: "small", onclick: () => attempt(() => post(`/channels/${one.id}/test`),
      t("channel.tested", { name: one.name })) }, t("channel.test")),
    h("button", { class: "small danger", onclick: drop }, t("action.delete")));
}

function here(isHere, again) {
  if (!canPush()) return h("p", {}, t("devices.cannot"));
  if (isHere) return null;
  if (Notification.permission === "denied") return h("p", {}, t("devices.refused"));
  const add = async (event) => {
    event.currentTarget.disabled = true;
    try {
      await register();
      toast(t("devices.added"), { kind: "good" });
    } catch (error) {
      if (error instanceof PushRefused) toast(error.message, { kind: "bad" });
      else await attempt(() => Promise.reject(error));
    }
    await again();
  };
  return h("div", { class: "row" }, h("button", { class: "primary", onclick: add }, t("devices.add")));
}
