import type { Host, SignalName } from "./host.ts";

/** A line at the bottom of a terminal that says how much of the work is done. */
export interface Progress {
  /** One more piece is done. */
  advance(): void;
  /** Takes the line away before something else is written; it comes back by itself. */
  clear(): void;
  /** Takes it away for good. */
  end(): void;
}

/** What is done sooner than this needs no line. */
const patienceMs = 300;
const intervalMs = 100;
const widest = 40;

/**
 * Progress on standard error, where that is a terminal with somebody before it: not in a pipe, not under CI, whose
 * logs keep every line, and not on a terminal that cannot erase.
 */
export function createProgress(host: Host, total: number): Progress {
  const { stderr, env } = host;
  const watched = stderr.isTTY && env.TERM !== "dumb" && ["", "false", "0"].includes(env.CI ?? "");
  if (!watched || total < 2) return silent;

  const started = host.monotonic();
  let done = 0;
  let shown = "";

  // Neither waits: on a terminal a write is done when it returns, and between an erasure and the text that follows
  // it nothing else must be drawn.
  const write = (text: string) => void stderr.write(text).catch(() => undefined);
  function clear(): void {
    if (shown !== "") write("\r\u001b[K");
    shown = "";
  }
  function draw(): void {
    if (host.monotonic() - started < patienceMs) return;
    // A pseudo-terminal that nobody has told a width says 0.
    const line = renderProgress(done, total, stderr.columns || 80);
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

/** Empty where the terminal is too narrow. The last column stays free: to write there can begin a new line. */
export function renderProgress(done: number, total: number, columns: number): string {
  const count = `${String(done).padStart(String(total).length)}/${total}`;
  const width = Math.min(widest, columns - count.length - 4);
  if (width < 5) return count.length < columns ? count : "";
  const full = Math.floor((done / total) * width);
  return `[${"#".repeat(full)}${".".repeat(width - full)}] ${count}`;
}

const silent: Progress = { advance: () => undefined, clear: () => undefined, end: () => undefined };
