/**
 * The wallets of a portfolio, which are there before a transaction names them.
 * @module
 */
import { get, itemsOf, post } from "../api.js";

/** Makes the wallets that a transaction names and the portfolio does not have. */
export async function makeWallets(portfolio, { wallet, to_wallet: other }) {
  const path = `/portfolios/${portfolio.id}/wallets`;
  const known = new Set(itemsOf(await get(`${path}?limit=500`)).map((one) => one.name));
  for (const name of new Set([wallet, other])) if (name && !known.has(name)) await post(path, { name });
}
