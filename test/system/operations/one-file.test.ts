import { join } from "node:path";
import { runCommand } from "citty";
import { execute, parse } from "graphql";
import { describe, expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { operationsPage } from "../../../config/operations-page.ts";
import { accountView, toAccountView } from "../../../src/operations/accounts/view.ts";
import { name } from "../../../src/operations/fields.ts";
import { loadOperations } from "../../../src/operations/index.ts";
import { defineOperation, type Operation } from "../../../src/operations/operation.ts";
import { listAudit } from "../../../src/services/audit/list.ts";
import { openStore } from "../../../src/storage/storage.ts";
import { adminCommand } from "../../../src/surfaces/cli/admin/admin.ts";
import { deriveCommands } from "../../../src/surfaces/cli/admin/derived.ts";
import { type Command, defineGroup } from "../../../src/surfaces/cli/command.ts";
import { findCommand } from "../../../src/surfaces/cli/find-command.ts";
import { renderHelp } from "../../../src/surfaces/cli/help.ts";
import type { GraphqlContext } from "../../../src/surfaces/graphql/context.ts";
import { createParts } from "../../../src/surfaces/graphql/schema/parts.ts";
import { assemble } from "../../../src/surfaces/graphql/schema/schema.ts";
import { serveAdmin } from "../../../src/surfaces/socket/socket.ts";
import { testRuntime } from "../../support/runtime.ts";
import { catalog } from "../../unit/surfaces/graphql/tools-context.ts";
import { createTestHost, makeFolder } from "../cli/host.ts";
import { createRandom, createTestOperator, createTestOutbox, start } from "../../unit/services/setup.ts";

const operations = await loadOperations();

/** An operation of one file, as it would be: nothing else knows it. */
const promote = defineOperation({
  name: "accounts.promote",
  summary: "Move an account to the plan pro.",
  kind: "changes",
  callers: "operator",
  subject: { kind: "account", field: "name" },
  events: ["account.updated"],
  input: z.strictObject({ name, reason: z.string().max(20).optional() }),
  output: accountView,
  command: {
    options: { reason: { hint: "TEXT", text: "Why it deserves that" } },
  },
  graphql: {
    name: "promoteAccount",
    text: "For the operator. Moves an account to the plan PRO.",
    returns: "Account",
    args: { reason: "Why it deserves that." },
  },
  run: async ({ accounts }, args) => toAccountView(await accounts.set(args.name, { plan: "pro" })),
});
const all: readonly Operation[] = [...operations, promote];

/** A server of a store in files that has the operation, with a free account. */
async function openServer() {
  const path = join(makeFolder(), "data");
  const runtime = testRuntime({ now: () => start, random: createRandom() });
  const onError = (error: Error) => expect.unreachable(error.message);
  const store = await openStore({ driver: "file", path, runtime, onError });
  const admin = createTestOperator({
    store,
    outbox: createTestOutbox(store, runtime.now),
    sending: "here",
    runtime,
    find: async (named) => all.find((each) => each.name === named),
  });
  const server = await serveAdmin({ path: join(path, "penknife.sock"), admin, onError });
  onTestFinished(async () => {
    await server.close();
    await store.close();
  });
  await admin.call("accounts.create", { name: "ci", plan: "free" });
  return { path, admin, store };
}

describe("an operation of one file", () => {
  test("is a command, and an act of the audit trail", async () => {
    const { path, store } = await openServer();
    const commands = deriveCommands("accounts", all);
    const group = defineGroup({ description: "Accounts.", commands });
    const { host, seen } = createTestHost({ now: () => start });
    const help = await renderHelp(group, "penknife admin accounts", host.stdout, host);
    expect(help).toMatch(/^ {2}promote +Move an account to the plan pro\.$/m);
    const command = await commands["promote"]?.();
    expect(await renderHelp(command as Command, "promote", host.stdout, host)).toMatch(
      /--reason TEXT +Why it deserves that\n/,
    );
    const rawArgs = ["ci", "--reason=merit", `--data=${path}`];
    const { result } = await runCommand(command as Command, { rawArgs, data: host });
    expect([result, seen().stdout, seen().stderr]).toEqual([
      0,
      expect.stringMatching(/^name\tci\nplan\tpro\n/),
      "",
    ]);
    const acts = await listAudit(await store.audit(), { limit: 10 });
    expect(acts.at(-1)).toMatchObject({
      act: "accounts.promote",
      account: "ci",
      actor: "cli:ops",
      detail: { plan: { before: "free", after: "pro" } },
      result: "done",
    });
  });

  test("is a field of GraphQL, for those who may call it", async () => {
    const { admin } = await openServer();
    const schema = assemble(createParts(await catalog.all(), all));
    const document = parse('mutation { promoteAccount(name: "ci", reason: "merit") { name plan } }');
    const ask = (principal: GraphqlContext["principal"]) =>
      execute({
        schema,
        document,
        contextValue: {
          principal,
          ip: "198.51.100.1",
          gone: false,
          deps: { admin: async () => admin, runtime: testRuntime({ now: () => start }) },
        },
      });
    expect(await ask({ kind: "session", operator: true, signedInAt: start })).toEqual({
      data: { promoteAccount: { name: "ci", plan: "PRO" } },
    });
    expect(await ask({ kind: "session", account: "ci", signedInAt: start })).toMatchObject({
      data: { promoteAccount: null },
      errors: [{ message: expect.stringMatching(/^Only a settings session of the operator/) }],
    });
  });

  test("is a line of the documents", () => {
    expect(operationsPage(all)).toContain(
      "| `accounts.promote` | Move an account to the plan pro. | changes | operator | `penknife admin accounts promote` | `promoteAccount` | `account.updated` |",
    );
  });
});

test.each(operations.filter((operation: Operation) => operation.byHand?.command !== undefined))(
  "the command that is written by hand for $name exists",
  async ({ byHand }: Operation) => {
    const { host } = createTestHost();
    const words = byHand?.command?.split(" ") ?? [];
    const { command } = await findCommand(adminCommand, words, host);
    expect(command.run).toBeDefined();
    for (const word of words.filter((each) => each.startsWith("--")))
      expect(command.args).toHaveProperty([word.slice(2)]);
  },
);
