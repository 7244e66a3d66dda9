/** Decides when a page reads again what nobody asked it to read. Each reading is a request of the session, which has 1,000 an hour. */
export interface Pace {
  /** What was read may have changed: it is read soon, but of many changes only every `changedMs`. */
  changed(): void;
  /** The user came back: what was put off meanwhile is read. */
  returned(): void;
  /** A reading has begun: it shows all changes up to now. */
  began(): void;
  /** A reading has ended. */
  ended(failed: boolean): void;
  /** Nothing is read any more. */
  stop(): void;
}

export interface PaceDeps {
  read(): void;
  /** Reports whether the user sees the result: a page that is left alone reads nothing. */
  isPresent(): boolean;
  /** Whether only a change or a failure is a reason to read again. */
  isOnce?: boolean;
}

const freshMs = 60_000;
const soonMs = 1000;
const changedMs = 15_000;
/** Readings that may follow each other by `soonMs`; each `changedMs` adds one. */
const burst = 10;
const failedMs = 10_000;

export function createPace({ read, isPresent, isOnce = false }: PaceDeps): Pace {
  let isChanged = false;
  let isFailed = false;
  let isReading = false;
  let spare = burst;
  let readAt = -Infinity;
  let isPutOff = false;
  let isStopped = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function wait(): void {
    clearTimeout(timer);
    if (isStopped || isReading || (isOnce && !isFailed && !isChanged)) return;
    const changeMs = spare >= 1 ? soonMs : (1 - spare) * changedMs;
    const waitMs = isFailed ? failedMs : isChanged ? changeMs : freshMs;
    timer = setTimeout(due, Math.max(0, readAt + waitMs - Date.now()));
  }

  function due(): void {
    if (isPresent()) read();
    else isPutOff = true;
  }

  return {
    changed() {
      isChanged = true;
      wait();
    },
    returned() {
      if (!isPutOff) return;
      isPutOff = false;
      wait();
    },
    began() {
      isChanged = false;
      isReading = true;
      clearTimeout(timer);
    },
    ended(failed) {
      isReading = false;
      isFailed = failed;
      const now = Date.now();
      spare = Math.max(0, Math.min(burst, spare + (now - readAt) / changedMs) - 1);
      readAt = now;
      wait();
    },
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
