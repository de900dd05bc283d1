/**
 * The state of the connection in words and colour, with what can be done about it.
 * @module
 */
import { h, replace } from "./dom.js";
import { t } from "./i18n.js";
import { stream } from "./stream.js";

/** The chip in the header. It is read out when the state changes, not at each second of a countdown. */
export function connectionChip() {
  const words = h("span", { class: "connection-words" });
  const again = h("button", { class: "small", onclick: () => stream.restart(), hidden: true },
    t("action.tryAgain"));
  const spoken = h("span", { class: "visually-hidden", role: "status" });
  const chip = h("div", { class: "connection" }, h("span", { class: "dot", "aria-hidden": "true" }), words,
    spoken,
    again);
  const update = () => {
    chip.dataset.state = stream.state;
    replace(words, connectionText());
    const announced = t(`connection.${stream.state}`, { n: "" });
    if (spoken.dataset.state !== stream.state) replace(spoken, announced);
    spoken.dataset.state = stream.state;
    again.hidden = stream.state !== "error";
    document.documentElement.dataset.connection = stream.state;
  };
  stream.addEventListener("state", update);
  update();
  return chip;
}

/** The words alone. */
export function connectionText() {
  if (stream.state === "reconnecting" && stream.secondsLeft > 0) {
    return t("connection.reconnectingIn", { n: stream.secondsLeft });
  }
  return t(`connection.${stream.state}`);
}

/** Whether what is shown is of now. */
export const isLive = () => stream.state === "live" || stream.state === "polling";
