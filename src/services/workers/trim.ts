/** Milliseconds between two looks at the memory of the process. */
const lookMs = 1000;
/** Bytes of growth after which a trim is worth its time. */
const step = 16 * 1_048_576;
/** Bytes below which a trim has found nothing. */
const little = 1_048_576;
/** Most looks between two trims of a process that is larger than at its start. */
const maxLooks = 16;

export interface TrimDeps {
  /** Returns free memory to the system. */
  trim(): void;
  /** Returns the resident bytes of the process. */
  resident(): number;
}

/**
 * Returns free memory to the system whenever the process has grown, and again at growing intervals for as long as it is
 * larger than now: what is in use at one look may be free at the next. Returns a function that stops it.
 */
export function startTrimming({ trim, resident }: TrimDeps): () => void {
  const first = resident();
  let lowest = first;
  let pause = 1;
  let left = pause;
  const timer = setInterval(() => {
    const bytes = resident();
    left--;
    if (bytes - first < step) {
      lowest = Math.min(lowest, bytes);
      return;
    }
    if (bytes - lowest < step && left > 0) return;
    trim();
    lowest = resident();
    pause = bytes - lowest < little ? Math.min(2 * pause, maxLooks) : 1;
    left = pause;
  }, lookMs).unref();
  return () => clearInterval(timer);
}
