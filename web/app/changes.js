/**
 * Changes that are on their way to the server: what is read of it while there are any may be of before them.
 * @module
 */

/** The changes of one view. */
export class Changes {
  #running = 0;
  #begun = 0;
  #isLate = false;

  /** @param {() => void} catchUp run after the last change where something was read in vain */
  constructor(catchUp) {
    this.catchUp = catchUp;
  }

  /** Runs a change; what it gives. */
  async during(change) {
    this.#running += 1;
    this.#begun += 1;
    try {
      return await change();
    } finally {
      this.#running -= 1;
      this.#settle();
    }
  }

  /**
   * Begins to read.
   * @returns {() => boolean} whether what was read by then is of now: no change ran meanwhile, or else all is read
   *   again once none does
   */
  read() {
    const wasRunning = this.#running > 0;
    const begun = this.#begun;
    return () => {
      if (!wasRunning && begun === this.#begun) return true;
      this.#isLate = true;
      this.#settle();
      return false;
    };
  }

  #settle() {
    if (this.#running || !this.#isLate) return;
    this.#isLate = false;
    this.catchUp();
  }
}
