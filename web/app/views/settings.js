/**
 * Settings: how things look, the account, its security, devices, tokens, and what happens to its data.
 * @module
 */
import { h, replace } from "../dom.js";
import { t } from "../i18n.js";
import { session } from "../session.js";
import { sections } from "../sections.js";
import { showAppearance } from "../settings/appearance.js";

const owned = {
  account: async (...all) => (await import("../settings/account.js")).showAccount(...all),
  security: async (...all) => (await import("../settings/security.js")).showSecurity(...all),
  devices: async (...all) => (await import("../settings/devices.js")).showDevices(...all),
  tokens: async (...all) => (await import("../settings/tokens.js")).showTokens(...all),
  data: async (...all) => (await import("../settings/data.js")).showData(...all),
};

const operators = {
  people: async (...all) => (await import("../settings/people.js")).showPeople(...all),
  flags: async (...all) => (await import("../settings/flags.js")).showFlags(...all),
};

/** Shows one of its sections. */
export async function show(root, { parts: [section = "appearance"], scope }) {
  const content = h("div", { class: "stack settings" });
  const all = session.user?.role === "operator" ? { ...owned, ...operators } : owned;
  const names = ["appearance", ...(session.user ? Object.keys(all) : [])];
  replace(root, h("div", { class: "view-head" }, h("h1", {}, t("settings.title")),
    sections("/settings", names, section, (name) => t(`settings.section.${name}`))), content);
  if (session.user && all[section]) await all[section](content, scope);
  else showAppearance(content);
  return t("settings.title");
}
