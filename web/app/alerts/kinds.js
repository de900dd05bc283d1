/**
 * The kinds of conditions and their fields: what the editor asks for, and how it becomes the rule's JSON, which is
 * that of `bitpal alert export`.
 * @module
 */

const intervals = ["1m", "5m", "15m", "30m", "1h", "4h", "1d", "1w"];
const prices = ["last", "bid", "ask", "mid", "mark", "index"];
const ways = ["above", "below", "either"];
const number = (name, value = "") => ({ name, value, type: "number" });
const whole = (name, value) => ({ name, value: String(value), type: "whole" });
const choice = (name, options) => ({ name, options, value: options[0], type: "choice" });
const duration = (name, value) => ({ name, value, type: "duration" });
const movement = [duration("within", "1h"), choice("direction", ["either", "up", "down"]),
  choice("against", ["start", "extreme"])];

/** What the API has under one name and people fill in as two. */
const named = { volume_times: "volume", change_amount: "change" };

/** Fields by kind, in the order in which they are asked for. */
export const kinds = {
  price: [choice("price", prices), choice("crosses", ways), number("level")],
  band: [choice("price", prices), number("low"), number("high")],
  change: [choice("price", prices), number("percent", "5"), ...movement],
  change_amount: [choice("price", prices), { ...number("amount"), label: "moves_by" }, ...movement],
  candle: [choice("interval", intervals), choice("close", ways), number("level")],
  rsi: [choice("interval", intervals), whole("period", 14), choice("crosses", ways), number("level", "70")],
  macd: [choice("interval", intervals), whole("fast", 12), whole("slow", 26), whole("signal", 9),
    choice("crosses", ways)],
  ema: [choice("interval", intervals), whole("fast", 9), whole("slow", 21), choice("crosses", ways)],
  bollinger: [choice("interval", intervals), whole("period", 20), number("deviations", "2"),
    choice("leaves", ["either", "upper", "lower"])],
  volume: [number("above"), duration("within", "5m")],
  volume_times: [number("times", "3"), duration("within", "5m"), whole("average_of", 20)],
  spread: [number("above")],
  imbalance: [whole("levels", 5), choice("crosses", ways), number("level", "0.5")],
  trade: [number("larger_than"), choice("side", ["", "buy", "sell"])],
  feed: [choice("feed", ["stale", "resynced"])],
  portfolio: [{ name: "id", type: "portfolio", value: "" },
    choice("metric", ["value", "profit", "day_change"]),
    choice("crosses", ways), number("level")],
  listing: [{ name: "venue", type: "text", value: "" },
    { name: "base", type: "text", value: "", isOptional: true },
    { name: "quote", type: "text", value: "", isOptional: true }],
};

/** Kinds that are about no instrument. */
export const withoutInstrument = new Set(["portfolio", "listing"]);

/** Kinds whose value can stay at a level, be there already, and move back from it: the others only happen. */
export const withLevel = new Set(["price", "band", "spread", "candle", "portfolio"]);

/** The condition's JSON from the fields' texts. */
export function condition(kind, values) {
  const body = {};
  for (const { name, type } of kinds[kind]) {
    if (values[name] === "" || values[name] === undefined) continue;
    body[name] = type === "whole" ? Number(values[name]) : values[name];
  }
  if (kind === "price") return body;
  if (kind === "band") return { price: body.price, leaves: { low: body.low, high: body.high } };
  if (kind === "feed") return body;
  return { [named[kind] ?? kind]: body };
}

/** Kind and fields of a condition's JSON. */
export function parts(json) {
  if (typeof json.leaves === "object") return { kind: "band", values: { price: json.price, ...json.leaves } };
  if (typeof json.price === "string") return { kind: "price", values: json };
  if (json.feed) return { kind: "feed", values: json };
  const [name, body] = Object.entries(json)[0] ?? ["price", {}];
  // The API writes a week as seven days.
  const values = body.interval === "7d" ? { ...body, interval: "1w" } : body;
  if (name === "volume" && (body.times || body.average_of)) return { kind: "volume_times", values };
  return { kind: name === "change" && body.amount ? "change_amount" : name, values };
}
