import type { ToolContext } from "./tool.ts";

/**
 * Thrown on the event loop by a tool whose result would pass `ToolContext.inlineResultBytes`, or whose work would take
 * too long there; the call then begins anew in a worker. A few kilobytes of brackets and an indentation are a hundred
 * megabytes of spaces, so that the size of a body alone does not say what may be done there.
 */
export class TooMuchInline extends Error {
  constructor() {
    super("the call is too much for the event loop");
    this.name = "TooMuchInline";
  }
}

/**
 * Sends a call that has grown over `most` of what it works on, in whatever unit, from the event loop to a worker.
 * @throws TooMuchInline on the event loop alone.
 */
export function isolateOver(size: number, most: number, { inlineResultBytes }: ToolContext): void {
  if (size > most && inlineResultBytes !== undefined) throw new TooMuchInline();
}

/** How many times as large as a body that is run on the event loop its result may be. */
export const inlineGrowth = 16;
