import type { Fields, Level, RequestEntry } from "./log-entry.ts";
import { toJsonLine, toJsonRequest, toTextLine, toTextRequest } from "./log-format.ts";
import type { Runtime } from "../../runtime.ts";

export interface Log {
  enabled(level: Level): boolean;
  request(level: Level, entry: RequestEntry): void;
  event(level: Level, message: string, fields?: Fields): void;
  /** Writes what is pending at once. */
  flush(): void;
  /** Number of lines dropped because the writer was blocked. */
  dropped(): number;
}

export interface LogOptions {
  /**
   * Writes whole lines. A returned promise pauses further writes until it settles. Errors are ignored: a broken log
   * must not break requests.
   */
  write(lines: string): void | Promise<unknown>;
  level: Level | "silent";
  format: "json" | "text";
  /** Adds escape sequences for a terminal; format text only. */
  color?: boolean;
  runtime: Runtime;
  /** Most characters to hold for a blocked writer; lines beyond are dropped and counted. */
  capacity?: number;
}

/**
 * Milliseconds between two writes of request lines: at thousands of requests a second, writing is most of a line's
 * cost.
 */
const pauseMs = 5;

const ranks = { debug: 0, info: 1, warn: 2, error: 3, silent: 4 } as const;

/** Opens the log in the configured format; the default is text on a terminal and JSON elsewhere. */
export function openLog(
  { level, format }: { level: LogOptions["level"]; format: "auto" | "json" | "text" },
  { isTTY, ...rest }: Pick<LogOptions, "write" | "runtime"> & { isTTY: boolean },
): Log {
  const text = format === "text" || (format === "auto" && isTTY);
  return createLog({ ...rest, level, format: text ? "text" : "json", color: text && isTTY });
}

export function createLog({
  write,
  level,
  format,
  color = false,
  runtime,
  capacity = 1_048_576,
}: LogOptions): Log {
  const least = ranks[level];
  let pending = "";
  let scheduled: NodeJS.Timeout | NodeJS.Immediate | undefined;
  let isUrgent = false;
  let flushedAt = -Infinity;
  let blocked = false;
  let lost = 0;
  let reported = 0;

  // Requests within one millisecond share the text of the time.
  let stampedAt = -1;
  let stamp = "";
  const timestamp = (time: number): string => {
    if (time !== stampedAt) {
      stampedAt = time;
      stamp = new Date(time).toISOString();
    }
    return stamp;
  };

  /** @param urgent Write at the end of this turn of the event loop, regardless of the last write. */
  function push(line: string, urgent: boolean, time: number): void {
    if (pending.length + line.length > capacity) {
      lost++;
      return;
    }
    pending += line;
    if (blocked || isUrgent) return;
    const since = time - flushedAt;
    // A clock that was set back must not delay lines.
    const isSoon = since >= 0 && since < pauseMs;
    if (urgent || !isSoon) {
      if (scheduled !== undefined) clearTimeout(scheduled as NodeJS.Timeout);
      isUrgent = true;
      scheduled = setImmediate(flushDue);
    } else scheduled ??= setTimeout(flushDue, pauseMs);
  }

  function flushDue(): void {
    scheduled = undefined;
    isUrgent = false;
    flush();
  }

  function flush(): void {
    if (pending === "" || blocked) return;
    flushedAt = runtime.now();
    const lines = lost === reported ? pending : pending + lossNotice(flushedAt);
    pending = "";
    try {
      const taken = write(lines);
      if (typeof taken === "object") {
        blocked = true;
        taken.then(resume, resume);
      }
    } catch {
      // A closed pipe (EPIPE) or a full disk: the service continues without its log.
    }
  }

  function resume(): void {
    blocked = false;
    flush();
  }

  function lossNotice(time: number): string {
    const count = lost - reported;
    reported = lost;
    return format === "json"
      ? toJsonLine(timestamp(time), "warn", "log lines were dropped", { count })
      : toTextLine(timestamp(time), "warn", "log lines were dropped", { count }, color);
  }

  const enabled = (wanted: Level): boolean => ranks[wanted] >= least;

  return {
    enabled,
    request(wanted, entry) {
      if (ranks[wanted] < least) return;
      const time = runtime.now();
      const line =
        format === "json"
          ? toJsonRequest(timestamp(time), wanted, entry)
          : toTextRequest(timestamp(time), wanted, entry, color);
      push(line, false, time);
    },
    event(wanted, message, fields = {}) {
      if (ranks[wanted] < least) return;
      const time = runtime.now();
      const line =
        format === "json"
          ? toJsonLine(timestamp(time), wanted, message, fields)
          : toTextLine(timestamp(time), wanted, message, fields, color);
      push(line, true, time);
    },
    flush,
    dropped: () => lost,
  };
}
