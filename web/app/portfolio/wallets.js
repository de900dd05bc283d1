/**
 * The wallets of a portfolio, which are there before a transaction names them.
 * @module
 */
import { get, itemsOf, post } from "../api.js";

/** Where a line books that names no wallet: where the latest transaction did, else the first wallet there is. */
export async function usualWallet({ id }) {
  const [latest] = itemsOf(await get(`/portfolios/${id}/transactions?limit=1`));
  if (latest) return latest.wallet;
  return itemsOf(await get(`/portfolios/${id}/wallets?limit=1`))[0]?.name ?? "main";
}

/** Makes the wallets that a transaction names and the portfolio does not have. */
export async function makeWallets(portfolio, { wallet, to_wallet: other }) {
  const path = `/portfolios/${portfolio.id}/wallets`;
  const known = new Set(itemsOf(await get(`${path}?limit=500`)).map((one) => one.name));
  for (const name of new Set([wallet, other])) if (name && !known.has(name)) await post(path, { name });
}
