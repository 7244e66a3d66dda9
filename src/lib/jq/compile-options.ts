import { raise, shown } from "./fault.ts";
import type { Meter } from "./meter.ts";
import type { JqObject, JqValue } from "./value.ts";

export interface CompileOptions {
  /** Variables beside those of the program, by their names without $. */
  variables: ReadonlyMap<string, JqValue>;
  /** Whether inputs are files, so that `input_filename` has a meaning. */
  files: boolean;
  /** The value of `$ENV` and `env`; an empty object unless given. */
  environment?: JqObject;
}

/** Makes an object of keys and values, one after the other. @throws JqError */
export function toObject(parts: readonly JqValue[], meter: Meter): JqObject {
  meter.members(parts.length / 2);
  const object: JqObject = new Map();
  for (let at = 0; at < parts.length; at += 2) {
    const key = parts[at] as JqValue;
    if (typeof key !== "string") return raise(`Object keys must be strings, not ${shown(key)}`);
    object.set(key, parts[at + 1] as JqValue);
  }
  return object;
}
