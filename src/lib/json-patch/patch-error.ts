/** The patch cannot be applied, or is none: the caller's fault. */
export class PatchError extends Error {
  /** RFC 6901, into the patch. */
  readonly pointer: string;

  constructor(message: string, pointer: string) {
    super(message);
    this.name = "PatchError";
    this.pointer = pointer;
  }
}
