import type { JqValue } from "../../../lib/jq/value.ts";
import { readLines, readPieces, readValues } from "./inputs.ts";

export interface SourceOptions {
  /** Each line is a string. */
  lines: boolean;
  slurp: boolean;
  /** The filter runs once on null. */
  nothing: boolean;
  /** Called before the process waits for input. */
  wait(): void;
}

/** The inputs of a filter, read as it asks for them. */
export interface Source {
  /** What the filter runs on first. */
  first(): JqValue | undefined;
  /** The next input, or undefined. @throws InputFault */
  next(): JqValue | undefined;
  /** The file of the last input; null for standard input. */
  filename(): string | null;
  /** Files that could not be read. */
  faults(): readonly string[];
}

export function openSource(files: readonly string[], { lines, slurp, nothing, wait }: SourceOptions): Source {
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
        yield step.value;
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

  const values: Iterator<JqValue> = lines ? readLines(pieces()) : readValues(pieces());
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
    next,
    filename: () => name,
    faults: () => faults,
  };
}
