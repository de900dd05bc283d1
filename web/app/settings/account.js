/**
 * Who is signed in, notifications and quiet hours.
 * @module
 */
import { h, replace } from "../dom.js";
import { t } from "../i18n.js";
import { session, change, notifications } from "../session.js";
import { signOut } from "../sign-out.js";
import { attempt, toast } from "../toast.js";
import { field, form, tick } from "../forms.js";

/** Shows it in an element. */
export async function showAccount(root) {
  const { user, settings } = session;
  const leave = (isEverywhere) => attempt(async () => {
    await signOut(isEverywhere);
    location.href = "/";
  });
  const wishes = notifications();
  const quiet = settings.quiet_hours;
  replace(root,
    h("section", { class: "panel stack" }, h("h2", {}, t("settings.section.account")),
      h("p", {}, user.email, " ", h("span", { class: "tag" }, t(`role.${user.role ?? "user"}`))),
      h("div", { class: "row wrap" }, h("button", { onclick: () => leave(false) }, t("account.signOut")),
        h("button", { onclick: () => leave(true) }, t("account.signOutEverywhere")))),
    h("section", { class: "panel stack" }, h("h2", {}, t("settings.notifications")),
      form({
        fields: [...Object.keys(wishes).map((name) => tick(t(`settings.notify.${name}`),
          { name, checked: wishes[name] })),
          tick(t("settings.quiet"), { name: "isQuiet", checked: Boolean(quiet) }),
          h("div", { class: "field-grid" }, field(t("settings.quietFrom"),
            { name: "from", type: "time", value: quiet?.from ?? "22:00" }),
            field(t("settings.quietTo"), { name: "to", type: "time", value: quiet?.to ?? "07:00" }))],
        submit: t("action.save"),
        run: async ({ isQuiet, from, to, alerts, sounds, badges }) => {
          await change({ notifications: { alerts, sounds, badges },
            quiet_hours: isQuiet ? { from, to } : null });
          toast(t("settings.kept"), { kind: "good" });
        },
      })));
}
