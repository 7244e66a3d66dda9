import { describe, expect, test } from "vitest";
import type { z } from "zod";
import { createCatalog } from "../../../src/catalog/catalog.ts";
import { ToolError } from "../../../src/catalog/errors.ts";
import { type Field, fieldsOf } from "../../../src/catalog/fields.ts";
import { parseInput } from "../../../src/catalog/input.ts";
import { validate } from "../../../src/catalog/issues.ts";
import type { Tool } from "../../../src/catalog/tool.ts";
import { loadConfig } from "../../../src/config.ts";
import { isSecret, sections } from "../../../src/options.ts";
import { loadOperations } from "../../../src/operations/index.ts";
import { parseInboxInput } from "../../../src/services/inbox/input.ts";
import { tools } from "../../../src/tools/index.ts";
import { context } from "../tools/run-tool.ts";

const operations = await loadOperations();

const canary = "Xq7CanaryZ2";

/** Wrong secrets of every shape, each with the canary in it. */
const wrong: unknown[] = [
  canary,
  [canary],
  { a: canary },
  { kty: "oct", k: `${canary}!` },
  `{"kty":"oct","k":"${canary}!"`,
  `{"kty":"${canary}"}`,
  `{"keys":[{"kty":"oct","k":"${canary}!"}]}`,
  `whsec_${canary}!`,
  `${canary}\ud800`,
  `${canary}\n`,
  `${canary}é`,
  `-----BEGIN PRIVATE KEY-----\n${canary}\n-----END PRIVATE KEY-----\n`,
  `-----BEGIN CERTIFICATE-----\n${canary}\n-----END CERTIFICATE-----\n`,
  `ssh-ed25519 ${canary} me`,
  canary.repeat(40_000),
];

const isSecretField = ({ name, type, values }: Field): boolean =>
  type === "string" && values === undefined && /^(?:key|data)$|secret|token|password|passphrase/i.test(name);

async function messagesOf(work: () => unknown): Promise<string[]> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    return [error.message, ...(error.details.errors ?? []).map(({ message }) => message)];
  }
  return [];
}

describe("the value of a secret is in no message", async () => {
  const all = await createCatalog(tools).all();
  const fields = all.flatMap((tool) => fieldsOf(tool.input).map((field) => [tool, field] as const));
  const secrets = fields.filter(([, field]) => isSecretField(field) && field.name !== "data");

  test("of these tools", () => {
    expect(secrets.map(([tool, { name }]) => `${tool.slug} ${name}`)).toEqual([
      "certificate-key-matcher key",
      "hmac-generator key",
      "webhook-signature-generator secret",
      "webhook-signature-verifier secret",
      "jwt-generator key",
      "jwt-verifier key",
    ]);
  });

  /** Inputs with a wrong secret, once for each value of each choice of the tool. */
  function* inputsOf(tool: Tool, field: Field): Generator<Record<string, unknown>> {
    for (const { input } of tool.examples)
      for (const secret of wrong) {
        yield { ...input, [field.name]: secret };
        for (const { name, values = [] } of fieldsOf(tool.input))
          for (const value of values) yield { ...input, [name]: value, [field.name]: secret };
      }
  }

  test.each(secrets)("$0.slug $1.name", async (tool, field) => {
    let refused = 0;
    for (const input of inputsOf(tool, field)) {
      const messages = await messagesOf(() => tool.run(parseInput(tool, input), context));
      if (messages.length > 0) refused++;
      for (const message of messages) expect(message).not.toContain("Canary");
    }
    expect(refused).toBeGreaterThan(0);
  });

  const documents = fields.filter(([, { name }]) => name === "data");

  test.each(documents)("$0.slug data of another type", async (tool) => {
    for (const data of [[canary], { a: canary }, 918_273_645, canary.repeat(7_000_000)]) {
      const messages = await messagesOf(() => parseInput(tool, { ...tool.examples[0]?.input, data }));
      for (const message of messages) expect(message).not.toMatch(/Canary|918273645/);
      if (typeof data !== "string") expect(messages).not.toEqual([]);
    }
  });

  test("in the place of any other field, if it is longer than a choice could be", async () => {
    const long = canary.repeat(6);
    for (const [tool, { name }] of fields) {
      if (name === "data") continue;
      const messages = await messagesOf(() => parseInput(tool, { ...tool.examples[0]?.input, [name]: long }));
      for (const message of messages) expect(message).not.toContain("Canary");
    }
  });

  test("of an inbox", async () => {
    for (const secret of [[canary], { a: canary }, 918_273_645, canary.repeat(1000), `${canary}\ud800`]) {
      const messages = await messagesOf(() => parseInboxInput({ scheme: "github", secret }));
      expect(messages).not.toEqual([]);
      for (const message of messages) expect(message).not.toMatch(/Canary|918273645/);
    }
  });

  const options = Object.entries(sections).flatMap(([section, one]) =>
    Object.keys(one).map((name) => `${section}.${name}`),
  );

  test.each(options.filter(isSecret))("of the option %s", async (option) => {
    const [section = "", name = ""] = option.split(".");
    const values = [`${canary}!`, [canary], { a: canary }, 918_273_645, true];
    let refused = 0;
    for (const value of values) {
      const text = JSON.stringify({ [section]: { [name]: value } });
      const readText = (path: string): string | undefined => (path === "/p.yaml" ? text : undefined);
      const messages = await messagesOf(() =>
        loadConfig({ file: "/p.yaml", env: {}, readText, slugs: async () => [] }),
      );
      if (messages.length > 0) refused++;
      for (const message of messages) expect(message).not.toMatch(/Canary|918273645/);
    }
    expect(refused).toBeGreaterThanOrEqual(4);
  });

  test("of the operator", async () => {
    const named = operations.flatMap(({ name: operation, input: schema }) =>
      Object.keys(schema.shape)
        .filter((name) => /secret|token|password|^key$|^code$/i.test(name))
        .map((name) => ({ operation, schema, name })),
    );
    expect(named.map(({ operation, name }) => `${operation} ${name}`)).toContain("keys.check key");
    for (const { schema, name } of named)
      for (const value of [[canary], { a: canary }, 918_273_645, canary.repeat(1000)]) {
        const messages = await messagesOf(() => validate(schema as z.ZodObject, { [name]: value }));
        expect(messages).not.toEqual([]);
        for (const message of messages) expect(message).not.toMatch(/Canary|918273645/);
      }
  });
});
