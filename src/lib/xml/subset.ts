export interface Entity {
  /** The text of an internal entity, with character references resolved (§4.5). */
  readonly text?: string;
  /** Declared with NDATA: not text. */
  readonly unparsed: boolean;
}

/** Returns what is wrong with a reference to an entity, if anything. */
export type EntityCheck = (name: string, inAttribute: boolean) => string | undefined;

/** State shared by the parts of one subset. */
export interface Subset {
  readonly entities: Map<string, Entity>;
  readonly parameters: Map<string, Entity>;
  complete: boolean;
  /** Parameter entities being read or already read. */
  readonly met: Map<string, "open" | "read">;
  check: EntityCheck;
  onName?: OnName;
}

/**
 * Receives a name that a DOCTYPE declares: names of elements and attributes are qualified, others contain no
 * colon.
 */
export type OnName = (name: string, at: number, qualified: boolean) => void;
