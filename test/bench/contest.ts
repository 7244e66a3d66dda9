/** A tool beside alternatives that do the same work. Each file of peers/contests is a contest, named after the slug. */
export interface Contest {
  /** The document, as the body of a request. */
  data: Uint8Array;
  /** The other fields. */
  fields?: Readonly<Record<string, string>>;
  /** A document that every contestant must reject; for contests whose answer is a verdict. */
  broken?: Uint8Array;
  /** The meaning of the tool's answer, in the form that a contestant's `toMeaning` returns. */
  toMeaning(answer: string | Uint8Array): unknown;
  contestants: readonly Contestant[];
}

export interface Contestant {
  name: string;
  /** Whether the tool is built on it: then the tool must not lose more than a fifth of its speed. */
  used: boolean;
  /** Takes the bytes of the document and returns the whole answer. */
  run(data: Uint8Array): unknown;
  toMeaning(answer: unknown): unknown;
}

/** The time of a round, in milliseconds per run. */
export interface Times {
  /** Through the Runner, with a raw body. */
  raw: number[];
  /** Through the Runner, as JSON in and JSON out. */
  envelope: number[];
  contestants: { name: string; used: boolean; times: number[] }[];
}
