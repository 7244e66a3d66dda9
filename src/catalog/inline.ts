/**
 * Thrown on the event loop by a tool whose result would pass `ToolContext.inlineResultBytes`; the call then begins anew
 * in a worker. A few kilobytes of brackets and an indentation are a hundred megabytes of spaces, so that the size of a
 * body alone does not say what may be done there.
 */
export class TooMuchInline extends Error {
  constructor() {
    super("the result is too large to be made on the event loop");
    this.name = "TooMuchInline";
  }
}

/** How many times as large as a body that is run on the event loop its result may be. */
export const inlineGrowth = 16;
