/**
 * An alert at a price, from a click: three fields and done.
 * @module
 */
import { h } from "../dom.js";
import { t } from "../i18n.js";
import { post } from "../api.js";
import { openDialog } from "../dialog.js";
import { field, form } from "../forms.js";
import { toast } from "../toast.js";
import { quoteOf, shownPrice } from "../quotes.js";
import { split } from "../quote-row.js";
import * as decimal from "../decimal.js";
import * as format from "../format.js";
import { ruleID } from "./rule-id.js";

/** Opens it for an instrument and a level; true when an alert was made. */
export function openPriceAlert(instrument, level) {
  const now = shownPrice(quoteOf(instrument));
  const way = level && now && decimal.compare(level, now) < 0 ? "below" : "above";
  return openDialog(t("alert.priceTitle", { name: split(instrument).symbol }),
    (close) => h("div", { class: "stack" },
    now && h("p", { class: "muted" }, t("alert.priceNow", { price: format.price(now) })),
    form({
      fields: [
        field(t("alert.field.crosses"), { name: "crosses", value: way,
          options: ["above", "below", "either"].map((value) => [value, t(`alert.value.${value}`)]) }),
        field(t("alert.field.level"), { name: "level", value: level ?? "", isDecimal: true,
          required: true, autofocus: true }),
        field(t("alert.field.repeat"), { name: "repeat", value: "once",
          options: [["once", t("alert.once")], ...["1h", "1d"].map((cooldown) =>
            [cooldown, t("alert.every", { cooldown: format.duration(cooldown) })])] }),
        field(t("alert.field.note"), { name: "note", maxlength: 200 }),
      ],
      submit: t("alert.make"),
      run: async ({ crosses, level: at, repeat, note }) => {
        await post("/alerts", {
          id: ruleID(), instrument, condition: { price: "last", crosses, level: at },
          repeat: repeat === "once" ? "once" : { cooldown: repeat }, ...(note ? { note } : {}),
        });
        toast(t("alert.made"), { kind: "good" });
        close(true);
      },
    })));
}
