/** A property of V8 that code shared with the server sets; other browsers ignore it. */
interface ErrorConstructor {
  stackTraceLimit: number;
}
