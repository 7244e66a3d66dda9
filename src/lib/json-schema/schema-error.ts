import type { Value } from "../data/value.ts";

/** The schema is at fault, never the program. */
export class SchemaError extends Error {
  /** The part of it that is, where that is known: the very object. */
  readonly part: Value | undefined;
  /** RFC 6901, into the schema. */
  readonly pointer: string | undefined;

  constructor(message: string, { part, pointer }: { part?: Value; pointer?: string } = {}) {
    super(message);
    this.name = "SchemaError";
    this.part = part;
    this.pointer = pointer;
  }
}
