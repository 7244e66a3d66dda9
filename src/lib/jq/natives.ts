import type { Machine } from "./machine.ts";
import { mathNatives } from "./natives-math.ts";
import { orderNatives } from "./natives-order.ts";
import { regexNatives } from "./natives-regex.ts";
import { textNatives } from "./natives-text.ts";
import { timeNatives } from "./natives-time.ts";
import { valueNatives } from "./natives-value.ts";
import type { JqValue } from "./value.ts";

/** A builtin with one result, of its input and of one result of each argument. @throws JqError */
export type Native = (input: JqValue, args: JqValue[], machine: Machine) => JqValue;

/** By name and number of arguments, such as `has/1`. */
export type Natives = Readonly<Record<string, Native>>;

const natives: ReadonlyMap<string, Native> = new Map(
  [valueNatives, textNatives, orderNatives, mathNatives, timeNatives, regexNatives].flatMap((part) =>
    Object.entries(part),
  ),
);

export const findNative = (name: string, arity: number): Native | undefined =>
  natives.get(`${name}/${arity}`);

export const nativeNames: readonly string[] = [...natives.keys()];
