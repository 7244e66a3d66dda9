import type { Impact } from "./rules.ts";

/** A change between two descriptions. */
export interface Change {
  rule: string;
  impact: Impact;
  message: string;
  /** The operation that it concerns, such as `GET /pets`; "" for the description as a whole. */
  operation: string;
  /** Whether what has changed is in the old description alone; otherwise it is in the new one. */
  isOld: boolean;
  /** RFC 6901, in each description: the place itself, or the nearest that there is. */
  old: string;
  new: string;
}

/** Where a change is: pointers into both descriptions. */
export interface Where {
  old: string;
  new: string;
  isOld?: boolean;
}

/** Reports a change. */
export type Report = (rule: string, where: Where, message: string) => void;
