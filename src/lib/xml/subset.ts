export interface Entity {
  /** Of an internal entity: its text, with character references resolved (§4.5). */
  readonly text?: string;
  /** Declared with NDATA: it is never text. */
  readonly unparsed: boolean;
}

/** Says what is wrong with a reference to an entity, or nothing. */
export type EntityCheck = (name: string, inAttribute: boolean) => string | undefined;

/** What the parts of one subset share. */
export interface Subset {
  readonly entities: Map<string, Entity>;
  readonly parameters: Map<string, Entity>;
  complete: boolean;
  /** Parameter entities that are open or were read. */
  readonly met: Map<string, "open" | "read">;
  check: EntityCheck;
  onName?: OnName;
}

/** Takes a name that a DOCTYPE declares: that of an element or attribute is qualified, others have no colon. */
export type OnName = (name: string, at: number, qualified: boolean) => void;
