/**
 * Rectangles whose areas are weights: a squarified treemap, where each is as near to a square as it can be.
 *
 * Source: Bruls, Huizing and van Wijk, "Squarified Treemaps", Data Visualization 2000.
 * @module
 */

/**
 * Divides a rectangle.
 * @param {number[]} weights above 0, the greatest first
 * @returns {{x: number, y: number, width: number, height: number}[]} one for each weight, in their order
 */
export function squarified(weights, width, height) {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  if (!(total > 0 && width > 0 && height > 0)) return [];
  const scale = (width * height) / total;
  const areas = weights.map((weight) => weight * scale);
  const rest = { x: 0, y: 0, width, height };
  const cells = [];
  for (let start = 0; start < areas.length;) {
    const side = Math.min(rest.width, rest.height);
    let end = start + 1;
    let sum = areas[start];
    // A row takes the next one as long as that makes its worst rectangle no longer.
    while (end < areas.length
      && worst(areas[start], areas[end], sum + areas[end], side) <= worst(areas[start], areas[end - 1], sum, side)) {
      sum += areas[end];
      end += 1;
    }
    cells.push(...row(areas.slice(start, end), sum, rest));
    start = end;
  }
  return cells;
}

/** How many times as long as it is wide the longest rectangle of a row is, whose areas lie between two. */
function worst(most, least, sum, side) {
  return Math.max((side * side * most) / (sum * sum), (sum * sum) / (side * side * least));
}

/** Lays a row along the shorter side, and takes its part off the rest. */
function row(areas, sum, rest) {
  const isColumn = rest.width >= rest.height;
  const depth = sum / (isColumn ? rest.height : rest.width);
  let place = isColumn ? rest.y : rest.x;
  const cells = areas.map((area) => {
    const length = area / depth;
    const cell = isColumn ? { x: rest.x, y: place, width: depth, height: length }
      : { x: place, y: rest.y, width: length, height: depth };
    place += length;
    return cell;
  });
  if (isColumn) {
    rest.x += depth;
    rest.width = Math.max(0, rest.width - depth);
  } else {
    rest.y += depth;
    rest.height = Math.max(0, rest.height - depth);
  }
  return cells;
}

/**
 * As many of the first weights as there is room for: no rectangle is narrower or lower than the least.
 * @param {number[]} weights above 0, the greatest first
 */
export function fitting(weights, width, height, least) {
  let count = weights.length;
  while (count > 0) {
    const cells = squarified(weights.slice(0, count), width, height);
    const small = cells.findIndex((cell) => Math.min(cell.width, cell.height) < least);
    if (small < 0) return cells;
    // The smallest goes, not the one that lies badly: it may lie well without those behind it.
    count -= 1;
  }
  return [];
}
