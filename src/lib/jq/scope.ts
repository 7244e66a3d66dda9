import type { Op } from "./machine.ts";
import type { Definition, Filter } from "./syntax.ts";

/** The variables of one call, which lie in its `Env`; inner calls are further levels. */
export interface Frame {
  readonly level: number;
  size: number;
}

/** The definitions that are visible at a place of a program: a list, the innermost first. */
export interface Scope {
  readonly frame: Frame;
  readonly entry: Entry | undefined;
}

type Entry = { readonly next: Entry | undefined } & (
  | {
      readonly kind: "variable" | "label";
      readonly name: string;
      readonly level: number;
      readonly slot: number;
    }
  | { readonly kind: "closure"; readonly name: string; readonly level: number; readonly slot: number }
  | { readonly kind: "function"; readonly name: string; readonly callee: Callee }
);

export type Place = { level: number; slot: number };

/** A defined function, compiled on first use, once for values and once for paths. */
export interface Callee {
  readonly definition: Definition;
  /** The scope at the definition, the function included. */
  scope: Scope;
  readonly level: number;
  value?: Op;
  path?: Op;
}

export const openScope = (level = 0): Scope => ({ frame: { level, size: 0 }, entry: undefined });

export function withPlace(
  scope: Scope,
  kind: "variable" | "label" | "closure",
  name: string,
): { scope: Scope; place: Place } {
  const { frame } = scope;
  const place = { level: frame.level, slot: frame.size++ };
  return { scope: { frame, entry: { kind, name, ...place, next: scope.entry } }, place };
}

export function withFunction(scope: Scope, definition: Definition): Scope {
  const callee: Callee = { definition, scope, level: scope.frame.level };
  const inner: Scope = {
    frame: scope.frame,
    entry: { kind: "function", name: definition.name, callee, next: scope.entry },
  };
  callee.scope = inner;
  return inner;
}

export function findPlace(scope: Scope, kind: "variable" | "label", name: string): Place | undefined {
  for (let { entry } = scope; entry !== undefined; entry = entry.next)
    if (entry.kind === kind && entry.name === name) return entry;
  return undefined;
}

/** Finds what a call means: a closure that is a parameter, or a definition. */
export function findCallee(scope: Scope, name: string, arity: number): Callee | Place | undefined {
  for (let { entry } = scope; entry !== undefined; entry = entry.next) {
    if (entry.kind === "closure" && arity === 0 && entry.name === name) return entry;
    if (entry.kind === "function" && entry.name === name && entry.callee.definition.params.length === arity)
      return entry.callee;
  }
  return undefined;
}

/** Reports whether a filter keeps something in its frame, so that each of its runs needs one of its own. */
export function needsFrame(filter: Filter): boolean {
  switch (filter.kind) {
    case "bind":
    case "reduce":
    case "foreach":
    case "label":
    case "define":
      return true;
    default:
      return Object.values(filter).some(needsFrameIn);
  }
}

function needsFrameIn(part: unknown): boolean {
  if (typeof part !== "object" || part === null || part instanceof Map) return false;
  if (Array.isArray(part)) return part.some(needsFrameIn);
  return "kind" in part ? needsFrame(part as Filter) : Object.values(part).some(needsFrameIn);
}
