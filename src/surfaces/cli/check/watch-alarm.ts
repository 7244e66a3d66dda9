import type { Host } from "../host.ts";

/** Absolute paths that changed, or "all" if anything may have changed. */
export type Changed = ReadonlySet<string> | "all";

export interface Alarm {
  /** The signal that ended the watch. */
  readonly stopped: keyof typeof signals | undefined;
  /** @param path What changed; undefined if that is not known. */
  ring(path?: string): void;
  /** Resolves after a change that is followed by a short time without another, or after `patienceMs` with "all". */
  next(patienceMs: number): Promise<Changed>;
  close(): void;
}

/** The signals that end the watch, with their numbers. */
export const signals = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 } as const;

/** Milliseconds without another change after which changes are looked at, and after which they are looked at anyway. */
const quietMs = 20;
const maxQuietMs = 500;

export function createAlarm(host: Host): Alarm {
  let stopped: keyof typeof signals | undefined;
  let rung = 0;
  let paths = new Set<string>();
  let unknown = false;
  let wake = (): void => undefined;
  const sleep = (ms: number) =>
    new Promise<void>((done) => {
      const timer = setTimeout(done, ms);
      wake = () => {
        clearTimeout(timer);
        done();
      };
    });
  const releases = (Object.keys(signals) as (keyof typeof signals)[]).map((name) =>
    host.onSignal(name, () => {
      stopped = name;
      close();
      wake();
      // Nothing has to be finished: the signal ends the process as if there were no handler.
      host.raise(name);
    }),
  );
  const close = () => releases.forEach((release) => release());
  return {
    get stopped() {
      return stopped;
    },
    ring(path) {
      rung++;
      if (path === undefined) unknown = true;
      else paths.add(path);
      wake();
    },
    async next(patienceMs) {
      if (rung === 0 && stopped === undefined) await sleep(patienceMs);
      const first = host.runtime.monotonic();
      for (let seen = 0; seen !== rung && stopped === undefined;) {
        seen = rung;
        if (host.runtime.monotonic() - first > maxQuietMs) break;
        await sleep(quietMs);
      }
      const changed = rung === 0 || unknown ? "all" : paths;
      rung = 0;
      paths = new Set();
      unknown = false;
      return changed;
    },
    close,
  };
}
