import type { Host, SignalName } from "./host.ts";
import { columnsOf } from "./table.ts";

/** A progress line at the bottom of a terminal. */
export interface Progress {
  /** Counts one more piece as done. */
  advance(): void;
  /** Erases the line before other output; it is drawn again later. */
  clear(): void;
  /** Erases the line and stops drawing it. */
  end(): void;
}

/** Work that takes less time shows no line. */
const patienceMs = 300;
const intervalMs = 100;
const widest = 40;

/**
 * Shows progress on standard error if it is an interactive terminal: not in a pipe, not in CI, whose log would keep
 * every line, and not on a terminal that cannot erase.
 */
export function createProgress(host: Host, total: number): Progress {
  const { stderr, env } = host;
  const watched = stderr.isTTY && env.TERM !== "dumb" && ["", "false", "0"].includes(env.CI ?? "");
  if (!watched || total < 2) return silent;

  const started = host.runtime.monotonic();
  let done = 0;
  let shown = "";

  // Not awaited: a write to a terminal is synchronous, and nothing may be drawn between an erasure and the text that
  // follows it.
  const write = (text: string) => void stderr.write(text).catch(() => undefined);
  function clear(): void {
    if (shown !== "") write("\r\u001b[K");
    shown = "";
  }
  function draw(): void {
    if (host.runtime.monotonic() - started < patienceMs) return;
    const line = renderProgress(done, total, columnsOf(stderr));
    if (line === shown) return;
    shown = line;
    write(`\r${line}\u001b[K`);
  }

  const timer = setInterval(draw, intervalMs);
  const releases = (["SIGINT", "SIGTERM", "SIGHUP"] as const).map((name) =>
    host.onSignal(name, () => stop(name)),
  );
  function end(): void {
    clearInterval(timer);
    for (const release of releases) release();
    clear();
  }
  function stop(name: SignalName): void {
    end();
    host.raise(name);
  }
  return { advance: () => void done++, clear, end };
}

/** Empty if the terminal is too narrow. The last column stays free, because writing there can wrap. */
export function renderProgress(done: number, total: number, columns: number): string {
  const count = `${String(done).padStart(String(total).length)}/${total}`;
  const width = Math.min(widest, columns - count.length - 4);
  if (width < 5) return count.length < columns ? count : "";
  const full = Math.floor((done / total) * width);
  return `[${"#".repeat(full)}${".".repeat(width - full)}] ${count}`;
}

const silent: Progress = { advance: () => undefined, clear: () => undefined, end: () => undefined };
