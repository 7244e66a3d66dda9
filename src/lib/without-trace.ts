/** V8's own limit of frames. Whoever raises it, as a test runner does, wants traces. */
export const maxUsualFrames = 10;

/**
 * Makes an error that carries no stack trace: where bad input is common, a trace that nobody sees costs more than the rest of
 * the error.
 */
export function withoutTrace<T>(make: () => T): T {
  const { stackTraceLimit } = Error;
  if (stackTraceLimit !== maxUsualFrames) return make();
  Error.stackTraceLimit = 0;
  try {
    return make();
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}
