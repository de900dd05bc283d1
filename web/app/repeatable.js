/**
 * What is sent again because nobody heard the answer, and is done once all the same.
 * @module
 */
import { post, randomKey } from "./api.js";

/**
 * Posts for one form or line. While the same is sent every try has the same key, until one of them succeeded;
 * another body has another key, since the API refuses it under one that was used.
 * @returns {(path: string, body: any) => Promise<any>}
 */
export function repeatable() {
  const keys = new Map();
  return async (path, body) => {
    const content = JSON.stringify([path, body]);
    if (!keys.has(content)) keys.set(content, randomKey());
    const answer = await post(path, body, { key: keys.get(content) });
    keys.delete(content);
    return answer;
  };
}
