import { type Signal, useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";

/**
 * Reads a value anew whenever one of `causes` changes. `value` is undefined until it was first read; `message` says why the last
 * reading failed, and is empty otherwise. An answer that comes after the next change is not shown.
 */
export function useRead<Value>(
  read: () => Promise<Value>,
  causes: readonly unknown[],
): { value: Signal<Value | undefined>; message: Signal<string> } {
  const value = useSignal<Value | undefined>(undefined);
  const message = useSignal("");
  useEffect(() => {
    let isOld = false;
    void show();
    return () => {
      isOld = true;
    };

    async function show(): Promise<void> {
      try {
        const found = await read();
        if (isOld) return;
        value.value = found;
        message.value = "";
      } catch (error) {
        if (!isOld) message.value = (error as Error).message;
      }
    }
  }, causes);
  return { value, message };
}
