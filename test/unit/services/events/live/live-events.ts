import type { EventBody } from "../../../../../src/services/events/types.ts";

/** An event with a number in it. */
export const toEvent = (n: number, account = "ci"): EventBody => ({
  id: `evt_${n}`,
  type: "webhook.test",
  timestamp: "2026-11-21T12:00:00.000Z",
  account,
  data: { endpoint: "we_0123456789abcdef01234567", message: String(n) },
});

export const numberOf = ({ data }: EventBody): number => Number((data as { message: string }).message);
