/**
 * The kinds of conditions as the server tells them: their words, their fields, and how these become the rule's JSON,
 * which is that of `bitpal alert export`.
 * @module
 */
import { locale } from "../i18n.js";
import { recall } from "../last-known.js";

let forms = new Map();
let language;

/** Asks once in each language what there is. */
export async function loadKinds() {
  const wanted = locale;
  if (language === wanted) return;
  const { data, isOld } = await recall(`/alerts/conditions?locale=${wanted}`);
  forms = new Map(data.items.map((form) => [form.name, form]));
  language = isOld ? undefined : wanted;
}

/** All of them, in the order in which they are offered. */
export const allForms = () => [...forms.values()];

/** The form of a kind: its words and fields; undefined for one that is not known. */
export const formOf = (kind) => forms.get(kind);

/** The condition's JSON from the fields' texts. */
export function condition(kind, values) {
  const made = {};
  for (const { name, path, type } of formOf(kind).fields) {
    const place = path.slice(0, -1).reduce((outer, part) => outer[part] ??= {}, made);
    if (values[name] === "" || values[name] === undefined) continue;
    place[name] = type === "whole" ? Number(values[name]) : values[name];
  }
  return made;
}

/** Kind and fields of a condition's JSON; the kind is empty where it is not known. */
export function parts(json) {
  const leaves = leavesOf(json, []);
  const isIn = (form, path) => form.fields.some((field) => path.every((part, place) => field.path[place] === part));
  const form = allForms().find((one) => leaves.every(({ path }) => isIn(one, path)));
  const values = Object.fromEntries(leaves.filter(({ isValue }) => isValue)
    .map(({ path, value }) => [path.at(-1), value]));
  // The API writes a week as seven days.
  if (values.interval === "7d") values.interval = "1w";
  return { kind: form?.name ?? "", values };
}

/** Everything in a condition that has nothing inside, and the way to it. */
function leavesOf(json, path) {
  if (typeof json !== "object" || json === null) return [{ path, value: json, isValue: true }];
  const inside = Object.entries(json);
  if (!inside.length) return [{ path, isValue: false }];
  return inside.flatMap(([name, value]) => leavesOf(value, [...path, name]));
}
