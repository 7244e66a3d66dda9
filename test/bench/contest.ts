/** One tool, and what does the same work without it: each file of peers/contests is one, named by the slug. */
export interface Contest {
  /** The document, as the body of a request. */
  data: Uint8Array;
  /** The other fields. */
  fields?: Readonly<Record<string, string>>;
  /** A document that everybody has to refuse; of contests in which the answer is a verdict. */
  broken?: Uint8Array;
  /** What an answer of the tool says; as a contestant's `toMeaning` tells it. */
  toMeaning(answer: string | Uint8Array): unknown;
  contestants: readonly Contestant[];
}

export interface Contestant {
  name: string;
  /** Whether the tool is made of it: then it must not lose more than a fifth of its speed on the way. */
  used: boolean;
  /** From the bytes of the document to the whole answer. */
  run(data: Uint8Array): unknown;
  toMeaning(answer: unknown): unknown;
}

/** What a round took, in milliseconds a run. */
export interface Times {
  /** Through the Runner, the body as it is. */
  raw: number[];
  /** Through the Runner, as JSON in and JSON out. */
  envelope: number[];
  contestants: { name: string; used: boolean; times: number[] }[];
}
