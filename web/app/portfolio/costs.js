/**
 * What the assets of a portfolio cost. Amounts come live and costs do not: after each change of the portfolio, and
 * when a transaction's time has come, they are asked for again.
 * @module
 */
import { get, itemsOf } from "../api.js";
import * as decimal from "../decimal.js";

/** The costs by asset; those of before a change are forgotten at once, since they belong to other amounts. */
export class Costs {
  #known = new Map();
  #change = -1;
  #failed = -1;
  /** The amounts that were told last. */
  #told = "";

  constructor(path, signal) {
    this.path = path;
    this.signal = signal;
  }

  /** Takes an answer of the holdings that is not older than a change of the portfolio. */
  take(answer, change) {
    const assumed = new Set(answer.assumed);
    this.#change = change;
    this.#known = new Map(itemsOf(answer).map((one) => [one.asset,
      { ...one, isAssumed: assumed.has(one.asset) }]));
  }

  /** What is known of so much of an asset: `cost_basis`, and `isAssumed` where its owner did not state it. */
  get({ asset, amount }) {
    const known = this.#known.get(asset);
    return known && decimal.compare(known.amount, amount) === 0 ? known : undefined;
  }

  /** Whether there are other amounts than those whose costs are known: the time of a transaction has come. */
  #areOthers(positions) {
    const told = positions.map((one) => `${one.asset} ${decimal.trim(one.amount)}`).sort().join();
    const isNew = told !== this.#told && positions.some((one) => !this.get(one));
    this.#told = told;
    return isNew;
  }

  /**
   * Asks again when the amounts are of a later change or of a later time, until that has an answer; true when the
   * costs are of it then. That it goes wrong is said once for each.
   */
  async follow({ change, positions = [] }) {
    const areOthers = this.#areOthers(positions);
    if (!(change > this.#change) && !(change === this.#change && areOthers)) return false;
    const former = this.#change;
    this.#change = change;
    this.#known = new Map();
    try {
      const answer = await get(`${this.path}/holdings`, { signal: this.signal });
      if (this.#change !== change) return false;
      this.take(answer, change);
      return true;
    } catch (error) {
      if (this.#change !== change) return false;
      this.#change = former;
      if (this.#failed === change) return false;
      this.#failed = change;
      throw error;
    }
  }
}
