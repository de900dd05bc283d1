/**
 * A field for a moment in UTC, chosen by the browser's own calendar in the locale's form.
 * @module
 */
import { field } from "./forms.js";

/** The field; its value has no zone, see {@link momentOf}. */
export const momentField = (label, name, time, props = {}) => field(label,
  { type: "datetime-local", step: 1, max: "9999-12-31T23:59:59", name, value: shown(time), ...props });

/** What was chosen, in ISO 8601; a time that nobody changed keeps its parts of a second. */
export function momentOf(value, former) {
  if (!value || !/^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(value)) return value ?? "";
  const whole = value.length === 16 ? `${value}:00` : value.slice(0, 19);
  return former && shown(former) === whole ? former : `${whole}Z`;
}

const shown = (time) => (time ?? "").slice(0, 19);
