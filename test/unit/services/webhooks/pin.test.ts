import type { LookupAddress } from "node:dns";
import { connect, type LookupFunction } from "node:net";
import { expect, test } from "vitest";
import { pin } from "../../../../src/services/webhooks/send.ts";
import type { Resolved } from "../../../../src/services/webhooks/resolve.ts";

const v4 = (last: number): Resolved => ({ address: `127.0.0.${last}`, family: 4 });
const v6: Resolved = { address: "::1", family: 6 };

/** The answer to Node if it asks for all addresses. */
function allOf(addresses: readonly Resolved[]): string[] {
  let found: LookupAddress[] = [];
  pin(addresses)("a.example", { all: true }, (_, all) => void (found = all as LookupAddress[]));
  return found.map(({ address }) => address);
}

test("the vetted addresses, in order, or the first of them", () => {
  expect(allOf([v6, v4(1), v4(2)])).toEqual(["::1", "127.0.0.1", "127.0.0.2"]);
  const answers: unknown[] = [];
  pin([v4(1), v6])("a.example", {}, (...words) => void answers.push(words));
  pin([])("a.example", { all: true }, (error) => void answers.push(error));
  expect(answers).toEqual([[null, "127.0.0.1", 4], expect.any(Error)]);
});

test("of thousands a few of each family, so that a request does not contact every host that a name lists", async () => {
  const many = Array.from({ length: 4000 }, (_, index) => v4(1 + (index % 250)));
  expect(allOf([...many, ...many.map(() => v6)])).toEqual([
    "127.0.0.1",
    "127.0.0.2",
    "127.0.0.3",
    "127.0.0.4",
    ...Array<string>(4).fill("::1"),
  ]);
  const tried: string[] = [];
  // Later, so that the first attempt is visible too.
  const lookup: LookupFunction = (...words) => void setImmediate(pin(many), ...words);
  await new Promise((resolve) =>
    // Port 1 is closed.
    connect({ host: "a.example", port: 1, lookup })
      .on("connectionAttempt", (address: string) => tried.push(address))
      .on("error", resolve),
  );
  expect(tried).toHaveLength(4);
});
