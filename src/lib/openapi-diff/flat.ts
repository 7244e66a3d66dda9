import type { Place } from "./places.ts";

/** Alternatives of which a value has to match one. */
export interface Alternatives {
  kind: "oneOf" | "anyOf";
  pointer: string;
  items: Place[];
}

/** A lower or an upper bound of numbers. */
export interface Bound {
  text: string;
  exclusive: boolean;
  pointer: string;
}

/** A limit that is a count. */
export interface Count {
  count: number;
  pointer: string;
}

/** A value and where it is. */
export interface Found<T> {
  value: T;
  pointer: string;
}

/** The requirements of a schema for a value, with all that `allOf` and references add. */
export interface Flat {
  /** The place that changes without a place of their own are reported at. */
  pointer: string;
  /** The schemas it consists of. */
  parts: Place[];
  /** No value is allowed. */
  never: boolean;
  /** The types but null; undefined for all. */
  types: ReadonlySet<string> | undefined;
  typePointer: string;
  /** Whether null is allowed. */
  null: boolean;
  format: Found<string> | undefined;
  /** The values but null, by their number, as they are shown. */
  enum: Found<ReadonlyMap<number, string>> | undefined;
  extensible: Found<ReadonlyMap<number, string>> | undefined;
  minimum: Bound | undefined;
  maximum: Bound | undefined;
  counts: Map<string, Count>;
  multipleOf: Found<string> | undefined;
  uniqueItems: Found<boolean> | undefined;
  patterns: Map<string, string>;
  properties: Map<string, Place[]>;
  required: Map<string, string>;
  /** `additionalProperties` of each part that has it. */
  additional: Place[];
  patternProperties: Map<string, Place[]>;
  items: Place[];
  prefix: Place[][];
  groups: Alternatives[];
  discriminator: Place | undefined;
  /** Keywords that are compared as they are written. */
  conditions: Map<string, Place[]>;
  default: Place | undefined;
  /** Whether the schema itself is read-only, write-only or deprecated. */
  flags: ReadonlySet<string>;
}
