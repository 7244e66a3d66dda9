/** Schedules a callback after `ms`; the returned function cancels it. */
export type Wait = (ms: number, then: () => void) => () => void;

/** A sleep that can be ended early; an alarm rung between `reset` and the sleep is not missed. */
export interface Alarm {
  reset(): void;
  ring(): void;
  /** Resolves when the alarm rings, after `ms` at most. */
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
