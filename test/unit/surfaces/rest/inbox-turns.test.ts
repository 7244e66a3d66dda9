import { expect, test } from "vitest";
import { createTurns, type Turn } from "../../../../src/surfaces/rest/inbox-turns.ts";

/** Requests turns in the order of the names, which begin with an account, and records whose turn has come. */
function begin(most: { all: number; account: number }, names: string[]) {
  const turns = createTurns(most);
  const come: string[] = [];
  const asked = new Map<string, Turn>();
  const ask = (name: string): void => {
    const turn = turns.ask(name.slice(0, 1));
    asked.set(name, turn);
    void turn.come.then(() => come.push(name));
  };
  names.forEach(ask);
  const now = async (): Promise<string[]> => {
    await new Promise(setImmediate);
    return come;
  };
  return { ask, now, leave: (name: string) => asked.get(name)?.leave() };
}

test("a caller beyond its share does not delay others", async () => {
  const { now, leave } = begin({ all: 3, account: 2 }, ["a1", "a2", "a3", "b1", "b2"]);
  expect(await now()).toEqual(["a1", "a2", "b1"]);
  leave("b1");
  expect(await now()).toEqual(["a1", "a2", "b1", "b2"]);
  leave("a2");
  expect(await now()).toEqual(["a1", "a2", "b1", "b2", "a3"]);
});

test("the total is limited", async () => {
  const { now, leave } = begin({ all: 2, account: 2 }, ["a1", "b1", "c1", "d1"]);
  expect(await now()).toEqual(["a1", "b1"]);
  leave("b1");
  expect(await now()).toEqual(["a1", "b1", "c1"]);
});

test("a place is released once, before or after its turn", async () => {
  const { ask, now, leave } = begin({ all: 1, account: 1 }, ["a1", "a2", "a3"]);
  leave("a2");
  leave("a2");
  expect(await now()).toEqual(["a1"]);
  leave("a1");
  leave("a1");
  expect(await now()).toEqual(["a1", "a3"]);
  ask("a4");
  expect(await now()).toEqual(["a1", "a3"]);
  leave("a3");
  expect(await now()).toEqual(["a1", "a3", "a4"]);
});
