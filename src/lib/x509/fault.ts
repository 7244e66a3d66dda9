/** A document that should hold certificates or keys is wrong at one byte of it, or as a whole. */
export class CertificateError extends Error {
  /** From 0, in bytes of the document. */
  readonly offset: number;

  constructor(message: string, offset: number) {
    super(message);
    this.name = "CertificateError";
    this.offset = offset;
  }
}
