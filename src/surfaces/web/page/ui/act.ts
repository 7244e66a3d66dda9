import { type ReadonlySignal, useSignal } from "@preact/signals";

/** An act of the user that the server carries out. */
export interface Act {
  /** Runs it, unless it runs already. Returns whether it succeeded. */
  run(act: () => Promise<unknown>): Promise<boolean>;
  readonly isBusy: ReadonlySignal<boolean>;
  /** The reason why the last run failed; empty otherwise. */
  readonly message: ReadonlySignal<string>;
}

export function useAct(): Act {
  const isBusy = useSignal(false);
  const message = useSignal("");
  return {
    isBusy,
    message,
    async run(act) {
      if (isBusy.value) return false;
      isBusy.value = true;
      message.value = "";
      try {
        await act();
        return true;
      } catch (error) {
        message.value = (error as Error).message;
        return false;
      } finally {
        isBusy.value = false;
      }
    },
  };
}
