import { StoreError } from "./errors.ts";

/** A part of a store that few need: opened when it is first asked for, for all who ask, and closed with the store. */
export interface Lazy<Part> {
  /** @throws StoreError where it cannot be opened, or the store is closed. The next call tries again. */
  get(): Promise<Part>;
  close(): Promise<void>;
}

export function createLazy<Part extends { close(): Promise<void> }>(open: () => Promise<Part>): Lazy<Part> {
  let opening: Promise<Part> | undefined;
  let closed = false;

  async function tryOpening(): Promise<Part> {
    try {
      return await open();
    } catch (error) {
      opening = undefined;
      throw error;
    }
  }

  return {
    async get() {
      // The folder may have another owner by now.
      if (closed) throw new StoreError("open", "The store is closed.");
      return (opening ??= tryOpening());
    },
    async close() {
      closed = true;
      const part = await opening?.catch(() => undefined);
      await part?.close();
    },
  };
}
