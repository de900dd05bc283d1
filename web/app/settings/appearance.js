/**
 * Theme, language, time zone and currency: in the account where there is one, else in this browser.
 * @module
 */
import { h, replace } from "../dom.js";
import { t, languages, locale } from "../i18n.js";
import { session, change } from "../session.js";
import { attempt } from "../toast.js";
import { field } from "../forms.js";

const currencies = ["USD", "EUR", "GBP", "JPY", "CHF", "CAD", "AUD", "BRL", "MXN", "INR", "KRW", "CNY", "SEK",
  "NOK", "PLN"];

/** Shows it in an element. */
export function showAppearance(root) {
  const { settings } = session;
  const set = (name, isRebuilt) => (event) => attempt(async () => {
    await change({ [name]: event.target.value });
    if (isRebuilt) dispatchEvent(new Event("bitpal:rebuild"));
  }, isRebuilt ? undefined : t("settings.kept"));
  const zone = settings.time_zone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
  const zones = [...new Set(["UTC", zone, ...(Intl.supportedValuesOf?.("timeZone") ?? [])])];
  replace(root, h("section", { class: "panel stack" }, h("h2", {}, t("settings.section.appearance")),
    field(t("settings.theme"), { value: settings.theme ?? "system", onchange: set("theme"), name: "theme",
      options: ["system", "light", "dark"].map((name) => [name, t(`settings.theme.${name}`)]) }),
    field(t("settings.language"), { value: settings.locale ?? locale.split("-")[0],
      onchange: set("locale", true), name: "locale",
      options: Object.entries(languages) }),
    field(t("settings.timeZone"), { value: zone, onchange: set("time_zone"), name: "time_zone",
      options: zones.map((name) => [name, name]) }),
    field(t("settings.currency"), { value: settings.base_currency ?? "USD", onchange: set("base_currency"),
      name: "base_currency",
      options: currencies.map((name) => [name, name]) })));
}
