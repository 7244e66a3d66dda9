import type { KeyRecord } from "../../storage/records.ts";
import type { Caller } from "./caller.ts";

/** The part of an operation that the audit trail uses. */
export interface Act {
  readonly name: string;
  /**
   * An act that only reads is not recorded. One that closes access is carried out even if the store has no room for anything
   * else; a server that cannot write carries it out in its memory alone.
   */
  readonly kind: "reads" | "changes" | "closes";
  /** The kind of the subject, and the argument that names it, which is not recorded among the arguments. */
  readonly subject?: { readonly kind: SubjectKind; readonly field: string };
  /** The kind of the new record whose `id` is in the answer. */
  readonly issues?: SubjectKind;
  /** Whether its answer has the fields of the subject, so that they need not be read again. */
  readonly showsSubject?: true;
}

/**
 * `owner` is an account whose fields do not change, `keys` all keys of an account, `quota` its requests in this hour, `person`
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

/** The facts about an act that are known before it begins: the record that the audit trail has read, and the caller's account. */
export interface Found extends Pick<Caller, "owner"> {
  key?: KeyRecord;
}
