import { isArray, isObject, type JqArray, type JqValue } from "../../../lib/jq/value.ts";
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
  /** Returns the first value that the filter runs on. */
  first(): JqValue | undefined;
  /** Returns the next value that the filter runs on, or undefined. With `nothing` it runs once, and reads only the inputs that it asks for. */
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

/**
 * Yields the events of values, as `tostream` does: a path with the scalar or empty container there, and for each container the path
 * of its last part alone when it ends.
 */
function* eventsOf(values: Iterable<JqValue>): Generator<JqArray> {
  for (const value of values) {
    const open: Walk[] = [];
    if (isEmptyOrScalar(value)) yield [[], value];
    else open.push(toWalk(value));
    for (let walk = open.at(-1); walk !== undefined; walk = open.at(-1)) {
      const step = walk.parts.next();
      if (step.done === true) {
        yield [open.map(({ key }) => key)];
        open.pop();
        continue;
      }
      const [key, part] = step.value;
      walk.key = key;
      if (isEmptyOrScalar(part)) yield [open.map((one) => one.key), part];
      else open.push(toWalk(part));
    }
  }
}

/** A container that has been entered, and the key of the part that was yielded or entered last. */
interface Walk {
  parts: Iterator<[string | number, JqValue]>;
  key: string | number;
}

const toWalk = (value: JqValue): Walk => ({
  parts: (value as ReadonlyMap<string | number, JqValue> | JqArray).entries()[Symbol.iterator](),
  key: 0,
});

const isEmptyOrScalar = (value: JqValue): boolean =>
  !(isArray(value) && value.length > 0) && !(isObject(value) && value.size > 0);
