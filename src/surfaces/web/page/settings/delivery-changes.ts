import type { DataOf } from "../graph.ts";

export type Delivery = NonNullable<DataOf<"Deliveries">["deliveries"]>[number];

/** Deliveries of a page; one more is read, to know whether there is another page. */
export const pageSize = 50;

/** The deliveries that the user wants to see; an empty filter selects all. */
export interface Selection {
  endpoint: string;
  state: string;
  type: string;
  since: string;
  cursors: readonly string[];
}

const hourMs = 3_600_000;
const spanMs: Readonly<Record<string, number>> = { "7d": 168 * hourMs, "24h": 24 * hourMs, "1h": hourMs };

/** The shown deliveries after a change of one, which may have come or gone by it. */
export function withChange(
  known: readonly Delivery[],
  changed: Delivery,
  { endpoint, state, type, since, cursors }: Selection,
  now: number,
): Delivery[] {
  const isSelected =
    (endpoint === "" || endpoint === changed.endpoint) &&
    (state === "" || state === changed.state) &&
    (type === "" || type === changed.type) &&
    (since === "" || Date.parse(changed.createdAt) >= now - (spanMs[since] ?? Infinity));
  if (known.some(({ id }) => id === changed.id))
    return known.flatMap((one) => (one.id !== changed.id ? [one] : isSelected ? [changed] : []));
  // Another page does not begin with the newest.
  if (!isSelected || cursors.length > 0) return [...known];
  return [changed, ...known]
    .toSorted((one, other) => Date.parse(other.createdAt) - Date.parse(one.createdAt))
    .slice(0, pageSize + 1);
}
