import { invalidField } from "../catalog/input.ts";
import { KeyError } from "../lib/jws/keys.ts";

/** Waits for work that reads or uses the field `key`; what is wrong with it is the caller's to mend. */
export async function refusingKey<T>(work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof KeyError ? invalidField("key", error.message) : error;
  }
}
