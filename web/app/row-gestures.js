/**
 * Rows that can be dragged by their grip and swiped away, by mouse, pen or finger.
 * @module
 */

/** Lets rows be dragged up and down; says when one was put elsewhere. */
export function letDrag(body, onDrop) {
  body.addEventListener("pointerdown", (event) => {
    const grip = event.target.closest(".grip");
    const row = grip?.closest("tr");
    if (!row || event.button) return;
    event.preventDefault();
    grip.focus();
    // The grip moves with its row, and what is moved in the page loses the pointer.
    body.setPointerCapture(event.pointerId);
    row.classList.add("dragged");
    let isMoved = false;
    const move = ({ clientY }) => {
      const other = [...body.children].find((child) => {
        const { top, bottom } = child.getBoundingClientRect();
        return child !== row && clientY >= top && clientY <= bottom;
      });
      if (!other) return;
      const isBelow = other.compareDocumentPosition(row) & Node.DOCUMENT_POSITION_PRECEDING;
      if (isBelow) other.after(row);
      else other.before(row);
      isMoved = true;
    };
    const end = () => {
      body.removeEventListener("pointermove", move);
      row.classList.remove("dragged");
      grip.focus();
      if (isMoved) onDrop();
    };
    body.addEventListener("pointermove", move);
    body.addEventListener("lostpointercapture", end, { once: true });
  });
}

/** How far a finger must go, in CSS pixels. */
const far = 110;

/** Lets a row be swiped away by a finger. */
export function letSwipe(body, onSwipe) {
  let start = null;
  body.addEventListener("pointerdown", (event) => {
    const row = event.target.closest("tr");
    start = event.pointerType === "touch" && row && !event.target.closest(".grip")
      ? { row, x: event.clientX, y: event.clientY } : null;
  });
  body.addEventListener("pointermove", (event) => {
    if (!start) return;
    const [x, y] = [event.clientX - start.x, event.clientY - start.y];
    if (Math.abs(y) > Math.abs(x)) return;
    start.row.style.transform = `translateX(${x}px)`;
    start.row.style.opacity = String(Math.max(0.2, 1 - Math.abs(x) / (2 * far)));
  });
  const end = (event) => {
    if (!start) return;
    const { row, x } = start;
    start = null;
    row.style.transform = row.style.opacity = "";
    if (event.type === "pointerup" && Math.abs(event.clientX - x) > far) onSwipe(row);
  };
  body.addEventListener("pointerup", end);
  body.addEventListener("pointercancel", end);
}
