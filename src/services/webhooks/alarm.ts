/** Calls back after so many milliseconds; what it returns takes that back. */
export type Wait = (ms: number, then: () => void) => () => void;

/** Sleep that others can end; what rings between `reset` and the sleep is not missed. */
export interface Alarm {
  reset(): void;
  ring(): void;
  /** Until it rings, `ms` at most. */
  within(ms: number): Promise<void>;
}

export function createAlarm(wait: Wait): Alarm {
  let rung = false;
  let awake: (() => void) | undefined;

  return {
    reset() {
      rung = false;
    },
    ring() {
      rung = true;
      awake?.();
    },
    within(ms) {
      if (rung || ms <= 0) return Promise.resolve();
      return new Promise((resolve) => {
        const cancel = wait(ms, () => awake?.());
        awake = () => {
          awake = undefined;
          cancel();
          resolve();
        };
      });
    },
  };
}
