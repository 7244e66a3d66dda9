/** What the code that pages share with the server sets in V8; other browsers ignore it. */
interface ErrorConstructor {
  stackTraceLimit: number;
}
