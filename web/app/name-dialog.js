/**
 * A dialog that asks for a list's name.
 * @module
 */
import { t } from "./i18n.js";
import { openDialog } from "./dialog.js";
import { field, form } from "./forms.js";

/** Asks, and does something with the answer; what is refused is said in the dialog. */
export function askName(title, name, run) {
  return openDialog(title, (close) => form({
    fields: field(t("watchlist.name"), { name: "name", value: name, required: true, maxlength: 60 }),
    submit: t("action.save"),
    run: async (values) => {
      await run(values.name);
      close();
    },
  }));
}
