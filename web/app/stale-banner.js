/**
 * Says that what is shown is not of now, while it is not.
 * @module
 */
import { h, replace } from "./dom.js";
import { t } from "./i18n.js";
import * as format from "./format.js";
import { stream } from "./stream.js";
import { isLive } from "./connection.js";

/** A line that appears when the connection is gone, with since when. */
export function staleBanner(scope) {
  const element = h("p", { class: "banner", hidden: true });
  let lostAt = null;
  const update = () => {
    const isFirst = stream.state === "connecting" && lostAt === null;
    if (isLive() || isFirst) {
      lostAt = null;
      element.hidden = true;
      return;
    }
    // Of before the page was loaded anew, too: what it shows is as old as that.
    lostAt ??= stream.heard ?? Date.now();
    element.hidden = false;
    replace(element, t("stale.banner", { time: format.when(lostAt, "time"), age: format.age(lostAt) }));
  };
  scope.listen(stream, "state", update);
  scope.every(1000, update);
  update();
  return element;
}
