import type { KeyRecord } from "../../storage/records.ts";
import type { Caller } from "./caller.ts";

/** What the audit trail needs to know of an operation. */
export interface Act {
  readonly name: string;
  /**
   * What only reads is not recorded. What closes access is carried out even if the store has no room for anything else, and in
   * a server that cannot write in its memory alone.
   */
  readonly kind: "reads" | "changes" | "closes";
  /** What it is about, and the argument that names it, which is not among the recorded arguments. */
  readonly subject?: { readonly kind: SubjectKind; readonly field: string };
  /** The kind of what its answer shows as new, under `id`. */
  readonly issues?: SubjectKind;
  /** Whether its answer has the fields of the subject, so that they need not be read again. */
  readonly showsSubject?: true;
}

/**
 * `owner` is an account of which no field changes, `keys` all keys of an account, `quota` the requests of its hour, `person`
 * all sessions of a person.
 */
export type SubjectKind =
  | "account"
  | "code"
  | "delivery"
  | "endpoint"
  | "inbox"
  | "key"
  | "keys"
  | "owner"
  | "person"
  | "quota"
  | "session";

/** What is known about an act before it begins: the record that the audit trail has read, and the caller's account. */
export interface Found extends Pick<Caller, "owner"> {
  key?: KeyRecord;
}
