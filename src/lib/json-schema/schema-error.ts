import type { Value } from "../data/value.ts";

/** The schema is at fault, never the program. */
export class SchemaError extends Error {
  /** The part of it that is, where that is known: the very object. */
  readonly part: Value | undefined;
  /** RFC 6901, into the schema. */
  readonly pointer: string | undefined;
  /** Another document might do with this schema. */
  readonly together: boolean;

  constructor(
    message: string,
    { part, pointer, together = false }: { part?: Value; pointer?: string; together?: boolean } = {},
  ) {
    super(message);
    this.name = "SchemaError";
    this.part = part;
    this.pointer = pointer;
    this.together = together;
  }
}
