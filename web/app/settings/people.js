/**
 * For operators: the users, and invitations for new ones.
 * @module
 */
import { h, replace } from "../dom.js";
import { t } from "../i18n.js";
import * as format from "../format.js";
import { getAll, patch, post } from "../api.js";
import { attempt } from "../toast.js";

/** Shows it in an element. */
export async function showPeople(root, scope) {
  const again = () => attempt(() => showPeople(root, scope));
  const users = await getAll("/operator/users", { signal: scope.signal });
  const link = h("div", { "aria-live": "polite" });
  const invite = () => attempt(async () => {
    const made = await post("/operator/invitations", {});
    replace(link, h("p", {}, t("people.once")), h("code", { class: "secret" }, made.link));
  });
  replace(root, h("section", { class: "panel stack" }, h("h2", {}, t("people.title")),
    h("div", { class: "row" }, h("button", { class: "primary", onclick: () => attempt(invite) }, t("people.invite"))), link),
    h("section", { class: "panel flush" }, h("ul", { class: "rules" }, users.map((one) => h("li",
      { class: "rule" }, h("div", { class: "grow" }, one.email, " ",
      h("span", { class: "tag" }, t(`role.${one.role ?? "user"}`)), " ",
        h("span", { class: "muted" }, format.when(one.created, "day"))),
    h("button", { class: "small", onclick: () => attempt(() => patch(`/operator/users/${one.id}`,
      { disabled: !one.disabled })).then(again) }, one.disabled ? t("alert.enable") : t("alert.disable")),
    h("button", { class: "small", onclick: () => attempt(async () => {
      const made = await post(`/operator/users/${one.id}/reset`);
      replace(link, h("p", {}, t("people.resetOnce", { email: one.email })),
        h("code", { class: "secret" }, made.link));
    }) }, t("people.reset")))))));
}
