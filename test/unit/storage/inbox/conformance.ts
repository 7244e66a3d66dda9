import { describe, expect, onTestFinished, test } from "vitest";
import {
  type InboxStore,
  type Kept,
  type Message,
  sizeOf,
  sweptAfterMs,
  type ReadOptions,
} from "../../../../src/storage/inbox/inbox-store.ts";
import type { Room } from "../../../../src/storage/inbox/ledger.ts";

const hour = 3_600_000;
const kept: Kept = { messages: 500, ms: 7 * 24 * hour, bytes: 1e8 };

let count = 0;

/** An inbox that no other test uses. */
export const inboxId = (): string => `in_${(++count).toString(16).padStart(32, "0")}`;

/** The answer of a sweep's question which inboxes exist. */
export const knowing =
  (...inboxes: string[]) =>
  async (inbox: string): Promise<boolean> =>
    inboxes.includes(inbox);

const textOf = ({ body }: Message): string => Buffer.from(body).toString();

/** A message of 3,000 bytes that has just arrived. */
export const largeMessage = (n: number): Message => ({
  id: `msg_${n}`,
  at: Date.now(),
  method: "POST",
  query: "",
  headers: [],
  body: Buffer.alloc(3000, 1),
  signature: "valid",
});

/** The contract of every store of received messages. `open` returns one that uses this clock; it is closed when the test ends. */
export function describeInboxStore(
  name: string,
  open: (options: { now: () => number }) => Promise<InboxStore>,
): void {
  /** A store with a clock that stands still, and messages of its time. */
  async function begin() {
    const start = Date.now();
    const clock = { now: start };
    const store = await open({ now: () => clock.now });
    onTestFinished(() => store.close());
    let messages = 0;
    const message = (body: string, changes: Partial<Message> = {}): Message => ({
      id: `msg_${(++messages).toString().padStart(8, "0")}-0000-7000-8000-000000000000`,
      at: clock.now,
      method: "POST",
      query: "",
      headers: [],
      body: Buffer.from(body),
      signature: "valid",
      ...changes,
    });
    const bodies = async (inbox: string, options: Partial<ReadOptions> = {}) =>
      (await store.read(inbox, { limit: 100, kept, ...options })).map(textOf);
    return { store, clock, start, message, bodies };
  }

  describe(`the inbox store: ${name}`, () => {
    test("returns messages unchanged, to the byte", async () => {
      const { store, message } = await begin();
      const inbox = inboxId();
      const every = Uint8Array.from({ length: 256 }, (_, byte) => byte);
      const whole = message("", {
        method: "PUT",
        query: "?a=1&b=%00&c=é",
        headers: [
          ["Content-Type", "text/plain"],
          ["X-Twice", "1"],
          ["x-twice", 'two, \u00e9 \t "quoted" \\ {}'],
          ["X-Empty", ""],
        ],
        body: every,
        event: 'evt "1"\n\u2028\u0000😀',
        type: "a.b",
        signature: "unchecked",
      });
      const bare = message("", { signature: "invalid" });
      const large = message("", { body: Buffer.alloc(1_048_576, every) });
      for (const one of [whole, bare, large]) expect(await store.add(inbox, one, kept)).toBe(false);
      const found = await store.read(inbox, { limit: 10, kept });
      const plain = (one: Message): object => ({ ...one, body: Buffer.from(one.body).toString("base64") });
      expect(found.map(plain)).toEqual([whole, bare, large].map(plain));
      for (const one of [whole, bare, large]) {
        expect(plain((await store.get(inbox, one.id, kept)) as Message)).toEqual(plain(one));
      }
      expect(Object.keys(found[1] as Message)).not.toContain("event");
    });

    test("keeps its own copy of the bytes", async () => {
      const { store, message, bodies } = await begin();
      const inbox = inboxId();
      const body = Buffer.from("before");
      await store.add(inbox, message("", { body }), kept);
      body.fill("x");
      expect(await bodies(inbox)).toEqual(["before"]);
    });

    test("has no messages in a new inbox", async () => {
      const { store, bodies } = await begin();
      const inbox = inboxId();
      expect(await bodies(inbox)).toEqual([]);
      expect(await store.get(inbox, "msg_1", kept)).toBeUndefined();
      expect(await store.stats(inbox, kept)).toEqual({ messages: 0, duplicates: 0 });
      await store.remove(inbox);
    });

    test("keeps the order in which messages were added, whatever their ids and times", async () => {
      const { store, start, message, bodies } = await begin();
      const inbox = inboxId();
      const ids = ["msg_9", "msg_1", "msg_5", "msg_3"];
      for (const [index, id] of ids.entries()) {
        await store.add(inbox, message(id, { id, at: start - index * 1000 }), kept);
      }
      expect(await bodies(inbox)).toEqual(ids);
      expect(await bodies(inbox, { after: "msg_1" })).toEqual(["msg_5", "msg_3"]);
      expect(await bodies(inbox, { after: "msg_3" })).toEqual([]);
      expect(await bodies(inbox, { limit: 2 })).toEqual(["msg_9", "msg_1"]);
      expect(await bodies(inbox, { after: "msg_9", limit: 1 })).toEqual(["msg_1"]);
    });

    test("reads messages of a type, even far behind others", async () => {
      const { store, message, bodies } = await begin();
      const inbox = inboxId();
      const types = ["a", "b", undefined, "a", "b", "a"];
      for (const [index, type] of types.entries())
        await store.add(inbox, message(`${type} ${index}`, type === undefined ? {} : { type }), kept);
      expect(await bodies(inbox, { type: "a" })).toEqual(["a 0", "a 3", "a 5"]);
      expect(await bodies(inbox, { type: "b", limit: 1 })).toEqual(["b 1"]);
      const [first] = await store.read(inbox, { type: "b", limit: 1, kept });
      expect(await bodies(inbox, { type: "b", after: first?.id ?? "" })).toEqual(["b 4"]);
      expect(await bodies(inbox, { type: "c" })).toEqual([]);
      expect(await bodies(inbox, { type: "undefined" })).toEqual([]);
      // Far behind others.
      for (let index = 0; index < 150; index++) await store.add(inbox, message("x", { type: "x" }), kept);
      await store.add(inbox, message("last", { type: "a" }), kept);
      expect(await bodies(inbox, { type: "a", after: first?.id ?? "" })).toContain("a 3");
      expect((await bodies(inbox, { type: "x" })).length).toBeGreaterThan(0);
    });

    test("reads from the first message if the one to continue after was displaced", async () => {
      const { store, message, bodies } = await begin();
      const inbox = inboxId();
      const few = { ...kept, messages: 3 };
      const first = message("0");
      await store.add(inbox, first, few);
      for (const body of ["1", "2", "3", "4"]) await store.add(inbox, message(body), few);
      expect(await bodies(inbox, { after: first.id, kept: few })).toEqual(["2", "3", "4"]);
      expect(await bodies(inbox, { after: "msg_never", kept: few })).toEqual(["2", "3", "4"]);
    });

    test("keeps an event once, and counts its duplicates", async () => {
      const { store, message, bodies } = await begin();
      const [inbox, other] = [inboxId(), inboxId()];
      expect(await store.add(inbox, message("1", { event: "a" }), kept)).toBe(false);
      expect(await store.add(inbox, message("2", { event: "a" }), kept)).toBe(true);
      expect(await store.add(inbox, message("3", { event: "b" }), kept)).toBe(false);
      expect(await store.add(inbox, message("4", { event: "a" }), kept)).toBe(true);
      expect(await store.add(other, message("5", { event: "a" }), kept)).toBe(false);
      expect(await bodies(inbox)).toEqual(["1", "3"]);
      expect(await bodies(other)).toEqual(["5"]);
      expect(await store.stats(inbox, kept)).toMatchObject({ messages: 2, duplicates: 2 });
      expect(await store.stats(other, kept)).toMatchObject({ messages: 1, duplicates: 0 });
    });

    test("treats messages without an event as different", async () => {
      const { store, message, bodies } = await begin();
      const inbox = inboxId();
      for (const body of ["1", "1", "1"]) expect(await store.add(inbox, message(body), kept)).toBe(false);
      expect(await bodies(inbox)).toEqual(["1", "1", "1"]);
    });

    test("distinguishes events by every character, whatever their names", async () => {
      const { store, message } = await begin();
      const inbox = inboxId();
      const names = [
        ..."__proto__ constructor toString a A a: :a a/ ../a a* ? % %61 0 -1 null undefined".split(" "),
        ..."\u00e9 e\u0301 \u0000 \n \t é😀".split(" "),
        "",
        "x".repeat(255),
        "x".repeat(256),
      ];
      const all = [...new Set(names)];
      for (const event of all) {
        expect([event, await store.add(inbox, message("", { event }), kept)]).toEqual([event, false]);
      }
      for (const event of all) {
        expect([event, await store.add(inbox, message("", { event }), kept)]).toEqual([event, true]);
      }
    });

    test("keeps one of concurrent duplicates", async () => {
      const { store, message, bodies } = await begin();
      const inbox = inboxId();
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, n) => store.add(inbox, message(`${n}`, { event: "same" }), kept)),
      );
      expect(answers.filter((duplicate) => !duplicate)).toHaveLength(1);
      expect(await bodies(inbox)).toEqual([`${answers.indexOf(false)}`]);
      expect(await store.stats(inbox, kept)).toMatchObject({ messages: 1, duplicates: 19 });
    });

    test("keeps the newest messages up to a number", async () => {
      const { store, message, bodies } = await begin();
      const inbox = inboxId();
      const few = { ...kept, messages: 10 };
      const all = Array.from({ length: 35 }, (_, n) => message(`${n}`, { event: `e${n}` }));
      for (const one of all) await store.add(inbox, one, few);
      expect(await bodies(inbox, { kept: few })).toEqual(all.slice(-10).map(textOf));
      expect(await store.stats(inbox, few)).toMatchObject({ messages: 10, duplicates: 0 });
      expect(await store.get(inbox, (all[24] as Message).id, few)).toBeUndefined();
      expect(await store.get(inbox, (all[25] as Message).id, few)).toBeDefined();
      // Displaced messages are forgotten; stored ones are known.
      expect(await store.add(inbox, message("again", { event: "e34" }), few)).toBe(true);
      expect(await store.add(inbox, message("new", { event: "e0" }), few)).toBe(false);
      expect((await bodies(inbox, { kept: few })).at(-1)).toBe("new");
    });

    test("keeps nothing beyond its retention", async () => {
      const { store, clock, message, bodies } = await begin();
      const inbox = inboxId();
      const old = message("old", { event: "a" });
      await store.add(inbox, old, kept);
      clock.now += kept.ms - hour;
      await store.add(inbox, message("new"), kept);
      expect(await bodies(inbox)).toEqual(["old", "new"]);
      clock.now += 2 * hour;
      expect(await store.get(inbox, old.id, kept)).toBeUndefined();
      expect(await store.stats(inbox, kept)).toEqual({
        messages: 1,
        duplicates: 0,
        newestAt: clock.now - 2 * hour,
        newestId: (await store.read(inbox, { limit: 1, kept }))[0]?.id,
      });
      expect(await bodies(inbox)).toEqual(["new"]);
      expect(await bodies(inbox, { after: old.id })).toEqual(["new"]);
      expect(await store.add(inbox, message("newer", { event: "a" }), kept)).toBe(false);
      clock.now += 2 * kept.ms;
      expect(await bodies(inbox)).toEqual([]);
      expect(await store.stats(inbox, kept)).toEqual({ messages: 0, duplicates: 0 });
    });

    test("applies the latest limits", async () => {
      const { store, message, bodies } = await begin();
      const inbox = inboxId();
      for (let n = 0; n < 20; n++) await store.add(inbox, message(`${n}`), kept);
      const few = { ...kept, messages: 5 };
      expect(await bodies(inbox, { kept: few })).toEqual(["15", "16", "17", "18", "19"]);
      expect(await store.stats(inbox, few)).toMatchObject({ messages: 5 });
      await store.add(inbox, message("20"), few);
      expect(await bodies(inbox, { kept: few })).toEqual(["16", "17", "18", "19", "20"]);
    });

    test("keeps the newest messages up to a number of bytes, and the newest one in any case", async () => {
      const { store, message, bodies } = await begin();
      const inbox = inboxId();
      const all = Array.from({ length: 12 }, (_, n) => message(`${n}`.padEnd(3000, "."), { event: `e${n}` }));
      const size = sizeOf(all[0] as Message);
      const few = { ...kept, bytes: 5 * size + 100 };
      for (const one of all) expect(await store.add(inbox, one, few)).toBe(false);
      expect(await bodies(inbox, { kept: few })).toEqual(all.slice(-5).map(textOf));
      expect(await store.stats(inbox, few)).toMatchObject({ messages: 5 });
      expect(await store.get(inbox, (all[6] as Message).id, few)).toBeUndefined();
      expect(await store.add(inbox, message("again", { event: "e11" }), few)).toBe(true);
      expect(await store.add(inbox, message("new", { event: "e0" }), few)).toBe(false);
      const less = { ...kept, bytes: size };
      expect(await bodies(inbox, { kept: less })).toEqual(["new"]);
      expect(await store.stats(inbox, less)).toMatchObject({ messages: 1 });
      const large = message("large".padEnd(9000, "."));
      expect(await store.add(inbox, large, less)).toBe(false);
      expect(await bodies(inbox, { kept: less })).toEqual([textOf(large)]);
    });

    test("refuses a message for which its account or the store has no room, and loses no kept message", async () => {
      const { store, clock, message, bodies } = await begin();
      const [one, two, other] = [inboxId(), inboxId(), inboxId()];
      const long = (text: string) => message(text.padEnd(3000, "."));
      const size = sizeOf(long(""));
      const limits = { accountBytes: 10 * size + 50, storeBytes: 15 * size + 50 };
      const [mine, others] = ["acme", "other"].map((account) => ({ account, ...limits })) as [Room, Room];
      const own = { ...kept, bytes: 6 * size };
      for (let n = 0; n < 8; n++) await store.add(one, long(`1-${n}`), own, mine);
      for (let n = 0; n < 4; n++) await store.add(two, long(`2-${n}`), own, mine);
      const refused = { code: "quota_exceeded", details: { retryAfter: 3600 } };
      await expect(store.add(two, long("2-4"), own, mine)).rejects.toMatchObject(refused);
      // A message that replaces the inbox's own oldest one is not growth.
      expect(await store.add(one, long("1-8"), own, mine)).toBe(false);
      for (let n = 0; n < 5; n++) await store.add(other, long(`3-${n}`), own, others);
      await expect(store.add(other, long("3-5"), own, others)).rejects.toMatchObject({ code: "overloaded" });
      expect(await bodies(two)).toHaveLength(4);
      expect(await bodies(other)).toHaveLength(5);
      expect((await bodies(one, { kept: own })).map((text) => text.slice(0, 3))).toEqual(
        [3, 4, 5, 6, 7, 8].map((n) => `1-${n}`),
      );
      await store.remove(one);
      expect(await store.add(two, long("2-4"), own, mine)).toBe(false);
      expect(await store.add(other, long("3-5"), own, others)).toBe(false);
      // Expired messages make room.
      clock.now += 2 * kept.ms;
      await store.sweep?.(knowing(two, other), own);
      const fresh = inboxId();
      for (let n = 0; n < 10; n++) expect(await store.add(fresh, long(`5-${n}`), kept, mine)).toBe(false);
      await store.remove(fresh);
      for (let n = 0; n < 6; n++) expect(await store.add(two, long(`4-${n}`), own, mine)).toBe(false);
    });

    test("counts simultaneous messages before they are stored", async () => {
      const { store, message, bodies } = await begin();
      const inboxes = [inboxId(), inboxId(), inboxId()];
      const size = sizeOf(message("x".repeat(3000)));
      const room: Room = { account: "acme", accountBytes: 10 * size + 50, storeBytes: Infinity };
      const answers = await Promise.allSettled(
        Array.from({ length: 30 }, (_, n) =>
          store.add(inboxes[n % 3] as string, message("x".repeat(3000)), kept, room),
        ),
      );
      expect(answers.filter(({ status }) => status === "fulfilled")).toHaveLength(10);
      expect((await Promise.all(inboxes.map((inbox) => bodies(inbox)))).flat()).toHaveLength(10);
    });

    test("forgets an inbox that is removed, and no other", async () => {
      const { store, message, bodies } = await begin();
      const [inbox, other] = [inboxId(), inboxId()];
      for (const id of [inbox, other]) {
        await store.add(id, message("1", { event: "a" }), kept);
        await store.add(id, message("2", { event: "a" }), kept);
      }
      await store.remove(inbox);
      expect(await bodies(inbox)).toEqual([]);
      expect(await store.stats(inbox, kept)).toEqual({ messages: 0, duplicates: 0 });
      expect(await store.add(inbox, message("3", { event: "a" }), kept)).toBe(false);
      expect(await bodies(inbox)).toEqual(["3"]);
      expect(await store.stats(other, kept)).toMatchObject({ messages: 1, duplicates: 1 });
    });

    test("notifies listeners of new messages, until they unsubscribe", async () => {
      const { store, message, bodies } = await begin();
      const [inbox, other] = [inboxId(), inboxId()];
      const seen: string[][] = [];
      let calls = 0;
      const listener = (): void => {
        calls += 1;
      };
      const ends = [store.onMessage(inbox, listener), store.onMessage(inbox, listener)];
      ends.push(store.onMessage(inbox, () => void bodies(inbox).then((found) => seen.push(found))));
      await store.add(other, message("other"), kept);
      await store.add(inbox, message("1"), kept);
      await expect.poll(() => [calls, seen]).toEqual([2, [["1"]]]);
      ends[0]?.();
      ends[0]?.();
      await store.add(inbox, message("2"), kept);
      await expect.poll(() => calls).toBe(3);
      for (const end of ends) end();
      await store.add(inbox, message("3"), kept);
      await new Promise((resolve) => setTimeout(resolve, 50));
      expect(calls).toBe(3);
    });

    test("accepts many concurrently, in many inboxes, and loses none", async () => {
      const { store, message } = await begin();
      const inboxes = Array.from({ length: 8 }, inboxId);
      const sent = inboxes.flatMap((inbox) =>
        Array.from({ length: 60 }, (_, n) => ({ inbox, body: `${inbox} ${n} ${"x".repeat(n * 100)}` })),
      );
      await Promise.all(sent.map(({ inbox, body }) => store.add(inbox, message(body), kept)));
      for (const inbox of inboxes) {
        const found: string[] = [];
        let after: string | undefined;
        for (;;) {
          const page = await store.read(inbox, { limit: 7, kept, ...(after !== undefined && { after }) });
          found.push(...page.map(textOf));
          if (page.length === 0) break;
          after = page.at(-1)?.id;
        }
        const wanted = sent.filter((one) => one.inbox === inbox).map(({ body }) => body);
        expect(found.toSorted()).toEqual(wanted.toSorted());
      }
    });

    test("sweeps the remains of removed inboxes, and expired messages", async () => {
      const { store, clock, message, bodies } = await begin();
      const [known, gone, fresh] = [inboxId(), inboxId(), inboxId()];
      for (const inbox of [known, gone]) await store.add(inbox, message("1", { event: "a" }), kept);
      clock.now += sweptAfterMs + 1;
      await store.add(fresh, message("1", { event: "a" }), kept);
      await store.sweep?.(knowing(known), kept);
      expect(await bodies(known)).toEqual(["1"]);
      expect(await bodies(fresh)).toEqual(["1"]);
      if (store.sweep !== undefined) expect(await bodies(gone)).toEqual([]);
    });
  });
}
