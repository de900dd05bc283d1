/**
 * Orders of names, and what becomes of them when there are others meanwhile.
 * @module
 */

/** What is in one order in that of another; what that does not have is at the end. */
export const inOrderOf = (other, order) =>
  [...other.filter((name) => order.includes(name)), ...order.filter((name) => !other.includes(name))];

/** An order with one that it had, before the one that it stood before. */
export function backIn(order, name, former) {
  if (order.includes(name)) return order;
  const next = former.slice(former.indexOf(name) + 1).find((one) => order.includes(one));
  const place = next ? order.indexOf(next) : order.length;
  return [...order.slice(0, place), name, ...order.slice(place)];
}
