import type { ToolContext } from "./tool.ts";

/**
 * Thrown on the event loop by a tool whose result would exceed `ToolContext.inlineResultBytes` or whose work would take
 * too long there; the call then starts again in a worker. The size of a body is not enough to decide: a few kilobytes of
 * brackets with an indentation become a hundred megabytes of spaces.
 */
export class TooMuchInline extends Error {
  constructor() {
    super("the call is too much for the event loop");
    this.name = "TooMuchInline";
  }
}

/**
 * Moves a call whose work exceeds `max`, in any unit, from the event loop to a worker.
 * @throws TooMuchInline on the event loop only.
 */
export function isolateOver(size: number, max: number, { inlineResultBytes }: ToolContext): void {
  if (size > max && inlineResultBytes !== undefined) throw new TooMuchInline();
}

/** Largest result of a call on the event loop, as a multiple of its body. */
export const inlineGrowth = 16;
