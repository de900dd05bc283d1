/**
 * Everything that is kept of a user, to take away or to erase.
 * @module
 */
import { h, replace } from "../dom.js";
import { t } from "../i18n.js";
import { get, remove } from "../api.js";
import { form } from "../forms.js";
import { session, forgetSession } from "../session.js";
import { attempt } from "../toast.js";
import { hasPasskeys, proveByPasskey } from "../passkeys.js";
import { proofFields, proofOf } from "./proof.js";

/** Shows it in an element. */
export async function showData(root) {
  replace(root, h("section", { class: "panel stack" }, h("h2", {}, t("data.export")),
    h("p", { class: "muted" }, t("data.exportAbout")), h("div", { class: "row" }, exporting())),
  h("section", { class: "panel stack" }, h("h2", {}, t("data.erase")), h("p", {}, t("data.eraseAbout")),
    session.user.password === false ? byPasskey() : byPassword()));
}

/** The file comes whole before it is saved: half of one is none. */
function exporting() {
  const button = h("button", { onclick: () => attempt(async () => {
    button.disabled = true;
    button.setAttribute("aria-busy", "true");
    try {
      const all = await get("/account/export");
      const text = typeof all === "string" ? all : JSON.stringify(all, null, 1);
      const address = URL.createObjectURL(new Blob([text], { type: "application/json" }));
      const day = new Date().toISOString().slice(0, 10);
      h("a", { href: address, download: `bitpal-${day}.json` }).click();
      setTimeout(() => URL.revokeObjectURL(address), 60_000);
    } finally {
      button.disabled = false;
      button.removeAttribute("aria-busy");
    }
  }, t("data.exported")) }, t("data.export"));
  return button;
}

async function erase(proof) {
  await remove("/account", proof);
  forgetSession();
  location.href = "/";
}

function byPassword() {
  return form({
    fields: proofFields(), submit: t("data.erase"), class: "dangerous",
    run: async (typed) => erase(await proofOf(typed)),
  });
}

function byPasskey() {
  if (!hasPasskeys()) return h("p", {}, t("security.passkeysElsewhere"));
  return h("div", { class: "row" }, h("button", { class: "danger",
    onclick: () => attempt(async () => erase({ passkey: await proveByPasskey() })) }, t("data.erase")));
}
