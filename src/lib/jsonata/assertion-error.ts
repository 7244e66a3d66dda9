/** A query has found that the document is not as it should be, and says so in words of its own (`$error`, `$assert`). */
export class AssertionError extends Error {
  override readonly name = "AssertionError";
}
