/**
 * What is kept again and again while somebody changes it, such as an order.
 * @module
 */

/**
 * Runs something for one value after another until it fails; of those that come meanwhile for the newest. Where
 * the page is left that one does not wait.
 * @param {(value: any) => Promise<boolean>} run true when it went well
 * @returns {(value: any) => Promise<void>} done when nothing waits any more
 */
export function newest(run) {
  let value;
  let isWaiting = false;
  let running = null;
  const runOne = () => {
    isWaiting = false;
    return run(value);
  };
  const hurry = () => isWaiting && runOne();
  const runAll = async () => {
    addEventListener("pagehide", hurry);
    try {
      while (isWaiting && (await runOne())) continue;
    } finally {
      removeEventListener("pagehide", hurry);
      running = null;
    }
  };
  return (next) => {
    value = next;
    isWaiting = true;
    return (running ??= runAll());
  };
}
