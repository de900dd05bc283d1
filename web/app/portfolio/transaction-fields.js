/**
 * The fields of a transaction, and its JSON.
 * @module
 */
import { h } from "../dom.js";
import { t } from "../i18n.js";
import { field } from "../forms.js";
import { momentField, momentOf } from "../moment-field.js";

/** Every kind of the ledger. */
export const transactionKinds = ["buy", "sell", "swap", "deposit", "withdrawal", "transfer", "fee", "staking",
  "lending",
  "mining", "airdrop", "fork", "income", "gift_in", "gift_out", "spend", "loss", "dividend", "interest",
    "opening"];

const names = ["time", "kind", "wallet", "to_wallet", "asset", "amount", "counter_asset", "counter_amount",
  "fee_asset",
  "fee_amount", "note", "external_id", "price_source", "tags", "lots"];

/** What decides which lots there are to take, and how much of them. */
const lotsFollow = ["kind", "time", "wallet", "asset", "amount"];

/** Fields with the values of a transaction, or with what is known of a new one. */
export function fieldsOf(one) {
  const now = new Date().toISOString().replace(/\.\d+Z$/, "Z");
  const text = (name, props = {}) => field(t(`transaction.field.${name}`),
    { name, value: one[name] ?? "", autocomplete: "off", ...props });
  const number = (name, props) => text(name, { isDecimal: true, ...props });
  return h("div", { class: "field-grid" },
    field(t("transaction.field.kind"), { name: "kind", value: one.kind ?? "buy",
      options: transactionKinds.map((kind) => [kind, t(`transaction.kind.${kind}`)]) }),
    momentField(t("transaction.field.time"), "time", one.time ?? now, { required: true }), number("amount", { required: true }),
      text("asset", { required: true, placeholder: "BTC" }),
    number("counter_amount"), text("counter_asset", { placeholder: "USD" }), number("fee_amount"),
      text("fee_asset"),
    text("wallet", { required: true }), text("to_wallet"), text("note"));
}

/**
 * The JSON of what is not empty; `one` is the transaction that the fields were filled from. What it has and
 * no field shows stays: by its external id a file that is imported again is known. Lots do not that were chosen
 * for something else: with them it would be refused, and nobody could mend it.
 */
export function bodyOf(values, one = {}) {
  const known = { ...one, ...values, time: momentOf(values.time, one.time) };
  const areMeant = lotsFollow.every((name) => known[name] === one[name]);
  known.lots = areMeant ? one.lots?.map(({ external_id: id, amount }) => `${id}=${amount}`) : [];
  return Object.fromEntries(names.filter((name) => known[name]?.length).map((name) => [name, known[name]]));
}
