import type { Value } from "../data/value.ts";
import { DocumentFault } from "../fault.ts";

/** A schema is at fault. `part` is the faulty object itself, until `validateSchema` finds its pointer. */
export class SchemaFault extends DocumentFault {
  readonly part: Value | undefined;

  constructor(message: string, { part, pointer = "" }: { part?: Value; pointer?: string } = {}) {
    super(message, { pointer });
    this.part = part;
  }
}
