/**
 * API tokens: made with scopes and an end, shown once.
 * @module
 */
import { h, replace } from "../dom.js";
import { t } from "../i18n.js";
import * as format from "../format.js";
import { get, itemsOf, post, remove } from "../api.js";
import { attempt } from "../toast.js";
import { field, form, refuse, tick } from "../forms.js";

const scopes = ["market:read", "alerts:read", "alerts:write", "portfolio:read", "portfolio:write",
  "account:read", "account:write"];
/** Days that a token may last: a hundred years. */
const most = 36_500;
const isLength = (days) => /^\d{1,5}$/.test(days) && Number(days) >= 1 && Number(days) <= most;

/** Shows it in an element. */
export async function showTokens(root, scope) {
  const list = h("ul", { class: "rules" });
  const made = h("div", { "aria-live": "polite" });
  const load = async () => {
    const tokens = itemsOf(await get("/account/tokens", { signal: scope.signal }));
    replace(list, tokens.filter((one) => !one.revoked).map((one) => h("li", { class: "rule" },
      h("div", { class: "grow" }, h("b", {}, one.name), h("p", { class: "muted" }, [
      (one.scopes ?? []).join(" "), one.expires && t("share.until", { time: format.when(one.expires,
        "day") }),
      one.last_used ? t("security.lastUsed", { age: format.age(one.last_used) })
        : t("tokens.unused")].filter(Boolean).join(" · "))),
    h("button", { class: "small danger",
      onclick: () => attempt(() => remove(`/account/tokens/${one.id}`)).then(() => attempt(load)) },
      t("tokens.revoke")))));
  };
  const element = form({
    fields: [field(t("tokens.name"), { name: "name", required: true, maxlength: 60 }),
      field(t("tokens.days"), { name: "days", value: "90", inputmode: "numeric",
        hint: t("tokens.daysHint") }),
      h("fieldset", {}, h("legend", {}, t("tokens.scopes")),
        h("div", { class: "row wrap" }, scopes.map((name) => tick(name,
        { name: `scope-${name}`, checked: name === "market:read" }))))],
    submit: t("tokens.make"),
    run: async ({ name, days, ...values }) => {
      if (days && !isLength(days)) {
        return refuse(element.elements.days, t("problem.says.range", { low: "1", high: format.count(most) }));
      }
      const chosen = scopes.filter((one) => values[`scope-${one}`]);
      const expires = days ? new Date(Date.now() + Number(days) * 86_400_000).toISOString() : undefined;
      const answer = await post("/account/tokens", { name, scopes: chosen, ...(expires ? { expires } : {}) });
      replace(made, h("p", {}, t("tokens.once")), h("code", { class: "secret" }, answer.token));
      await load();
    },
  });
  replace(root, h("section", { class: "panel stack" }, h("h2", {}, t("settings.section.tokens")), element,
    made), h("section", { class: "panel flush" }, list));
  await load();
}
