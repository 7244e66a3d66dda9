import type { JqValue } from "../../../lib/jq/value.ts";
import { eventsOf } from "./events.ts";
import { readLines, readPieces, readValues } from "./inputs.ts";

export interface SourceOptions {
  /** Each line is a string. */
  lines: boolean;
  slurp: boolean;
  /** The filter runs once on null. */
  nothing: boolean;
  /** Record separators may stand between values (RFC 7464). */
  separated: boolean;
  /** The events of each value take its place, as `tostream` makes them. */
  events: boolean;
  /** Called before the process waits for input. */
  wait(): void;
}

/** The inputs of a filter, read as it asks for them. */
export interface Source {
  /** What the filter runs on first. */
  first(): JqValue | undefined;
  /** What it runs on after that, or undefined: with `nothing` it runs once, and reads nothing that it does not ask for. */
  following(): JqValue | undefined;
  /** The next input, or undefined. @throws InputFault */
  next(): JqValue | undefined;
  /** The file of the last input; null for standard input. */
  filename(): string | null;
  /** Files that could not be read. */
  faults(): readonly string[];
}

export function openSource(
  files: readonly string[],
  { lines, slurp, nothing, separated, events, wait }: SourceOptions,
): Source {
  const faults: string[] = [];
  let name: string | null = null;

  function* pieces(): Generator<string> {
    for (const path of files.length === 0 ? ["-"] : files) {
      name = path === "-" ? null : path;
      const file = readPieces(path);
      for (;;) {
        wait();
        const step = attempt(() => file.next(), path);
        if (step === undefined || step.done === true) break;
        yield separated ? step.value.replaceAll("\x1e", " ") : step.value;
      }
    }
  }

  function attempt<T>(work: () => T, path: string): T | undefined {
    try {
      return work();
    } catch (error) {
      faults.push(`Could not open ${path}: ${(error as NodeJS.ErrnoException).code ?? "it cannot be read"}`);
      return undefined;
    }
  }

  const whole = (): Iterable<JqValue> => (lines ? readLines(pieces()) : readValues(pieces()));
  const values: Iterator<JqValue> = (events ? eventsOf(whole()) : whole())[Symbol.iterator]();
  const next = (): JqValue | undefined => {
    const step = values.next();
    return step.done === true ? undefined : step.value;
  };

  function all(): JqValue {
    if (lines) return [...pieces()].join("");
    const list: JqValue[] = [];
    for (let value = next(); value !== undefined; value = next()) list.push(value);
    return list;
  }

  return {
    first: () => (nothing ? null : slurp ? all() : next()),
    following: () => (nothing ? undefined : next()),
    next,
    filename: () => name,
    faults: () => faults,
  };
}
