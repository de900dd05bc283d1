/**
 * How long a view lives: its requests, subscriptions, listeners and timers end when another takes its place,
 * and what fails after that is told to nobody.
 * @module
 */
import { stream } from "./stream.js";
import { toastError } from "./toast.js";

/** What a view started, and what is ended when another takes its place. */
export class Scope {
  #ends = [];
  #controller = new AbortController();
  isStopped = false;

  /** Aborts the view's requests when it ends. */
  get signal() {
    return this.#controller.signal;
  }

  /** Runs a function when the view ends. */
  onStop(end) {
    if (this.isStopped) end();
    else this.#ends.push(end);
  }

  /** Follows a channel of the stream while the view is there; ends earlier when asked. */
  subscribe(channel, key, handle) {
    const end = stream.subscribe(channel, key, (...all) => this.run(() => handle(...all)));
    this.onStop(end);
    return end;
  }

  /** Listens to something while the view is there. */
  listen(target, type, handle) {
    target.addEventListener(type, (event) => this.run(() => handle(event)), { signal: this.signal });
  }

  /** Runs a function again and again while the view is there. */
  every(milliseconds, run) {
    const timer = setInterval(() => this.run(run), milliseconds);
    this.onStop(() => clearInterval(timer));
  }

  /**
   * Runs what nobody waits for, such as a listener that loads anew. A view that was left hears nothing of how
   * it ended, one that is there says what went wrong.
   */
  run(act) {
    const answer = act();
    answer?.catch?.((error) => this.isStopped || toastError(error));
  }

  stop() {
    this.isStopped = true;
    this.#controller.abort();
    for (const end of this.#ends.splice(0)) end();
  }
}
