/**
 * An alert at a price, from a click: three fields, read back in a sentence, and done.
 * @module
 */
import { h, setText } from "../dom.js";
import { t } from "../i18n.js";
import { openDialog } from "../dialog.js";
import { field, form, setHint, valuesOf } from "../forms.js";
import { attempt, toast } from "../toast.js";
import { quoteOf, shownPrice } from "../quotes.js";
import { split } from "../quote-row.js";
import * as decimal from "../decimal.js";
import * as format from "../format.js";
import { loadKinds } from "./kinds.js";
import { makeRule, ruleID } from "./rule-id.js";
import { ruleText } from "./words.js";
import { helpFor } from "./help.js";

/** Opens it for an instrument and a level; true when an alert was made. */
export async function openPriceAlert(instrument, level) {
  if (!await attempt(loadKinds)) return false;
  const now = shownPrice(quoteOf(instrument));
  const way = level && now && decimal.compare(level, now) < 0 ? "below" : "above";
  const sentence = h("p", { class: "sentence", role: "status" });
  const id = ruleID();
  const ruleOf = ({ crosses, level: at, repeat, note }) => ({ instrument, condition: { price: "last", crosses, level: at },
    repeat: repeat === "once" ? "once" : { cooldown: repeat }, note: note || null });
  return await openDialog(t("alert.priceTitle", { name: split(instrument).symbol }), (close) => {
    const element = form({
      fields: [
        field(t("alert.field.crosses"), { name: "crosses", value: way,
          options: ["above", "below", "either"].map((value) => [value, t(`alert.value.${value}`)]) }),
        field(t("alert.field.level"), { name: "level", value: level ?? "", isDecimal: true,
          required: true, autofocus: true }),
        field(t("alert.field.repeat"), { name: "repeat", value: "once",
          options: [["once", t("alert.once")], ...["1h", "1d"].map((cooldown) =>
            [cooldown, t("alert.every", { cooldown: format.length(cooldown) })])] }),
        field(t("alert.field.note"), { name: "note", maxlength: 200 }), sentence,
      ],
      submit: t("alert.make"),
      run: async (values) => {
        await makeRule(id, ruleOf(values));
        toast(t("alert.made"), { kind: "good" });
        close(true);
      },
    });
    const say = () => {
      const values = valuesOf(element);
      setText(sentence, ruleText(ruleOf(values)));
      for (const input of element.querySelectorAll(".field [name]")) {
        setHint(input, helpFor(input.name, values[input.name], { kind: "price", instrument }));
      }
    };
    element.addEventListener("input", say);
    say();
    return h("div", { class: "stack" },
      now && h("p", { class: "muted" }, t("alert.priceNow", { price: format.price(now) })), element);
  });
}
