import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { eventTypes } from "../../../../src/services/events/types.ts";
import { toHeaders } from "../../../../src/services/webhooks/request.ts";
import { checkEvent } from "../../../unit/services/events/check-event.ts";
import { start } from "../../../unit/services/setup.ts";
import { makeFolder } from "../../../support/store.ts";

const page = readFileSync(new URL("../../../../docs/webhooks.md", import.meta.url), "utf8");
const blocks = [...page.matchAll(/```(\w+)\n([\s\S]*?)```/g)].map(([, language = "", code = ""]) => ({
  language,
  code,
}));

/** The only code block of a language that contains this text. */
function blockWith(language: string, text: string): string {
  const found = blocks.filter((block) => block.language === language && block.code.includes(text));
  expect(found).toHaveLength(1);
  return found[0]?.code ?? "";
}

const body = '{"id":"evt_1","name":"é ☃ 😀"}';
const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const signature = toHeaders({
  event: { id: "evt_1", type: "key.issued" },
  delivery: "dlv_1",
  attempt: 1,
  body,
  secret,
  now: start,
})["x-signature"] as string;

test("the documented event is valid", async () => {
  const event = blockWith("json", '"type"').trim();
  await checkEvent(event);
  expect(event).not.toContain("\n");
});

test("every type has its line", () => {
  const named = [...page.matchAll(/^\| `([a-z.]+)` \|/gm)].map(([, type]) => type);
  expect(named.filter((type) => type?.includes("."))).toEqual([...eventTypes]);
});

test("the shell example verifies what is sent", () => {
  const folder = makeFolder();
  writeFileSync(join(folder, "body.json"), body);
  writeFileSync(join(folder, "secret.txt"), `${secret}\n`);
  const verify = (sent: string): string =>
    spawnSync("sh", ["-c", blockWith("sh", "-hmac")], {
      cwd: folder,
      env: { ...process.env, x_signature: sent },
      encoding: "utf8",
    }).stdout;
  expect(verify(signature)).toBe("genuine\n");
  expect(verify("0".repeat(64))).toBe("");
});

test("the JavaScript example does too", async () => {
  const file = join(makeFolder(), "verify.mjs");
  writeFileSync(file, blockWith("js", "timingSafeEqual(sent"));
  const { isGenuine } = (await import(pathToFileURL(file).href)) as {
    isGenuine(body: Buffer, signature: string | undefined, secret: string): boolean;
  };
  expect(isGenuine(Buffer.from(body), signature, secret)).toBe(true);
  for (const sent of [undefined, "", "é".repeat(32), signature.toUpperCase(), "0".repeat(64)])
    expect(isGenuine(Buffer.from(body), sent, secret)).toBe(false);
  expect(isGenuine(Buffer.from(`${body} `), signature, secret)).toBe(false);
});

const python = spawnSync("python3", ["--version"]).status === 0;

test.runIf(python)("the Python example does too", () => {
  const script = `${blockWith("python", "def is_genuine")}
import sys, json
body, secret, sent = json.load(sys.stdin)
print([is_genuine(body.encode(), one, secret) for one in sent])
`;
  const input = JSON.stringify([body, secret, [signature, null, "é", "0".repeat(64)]]);
  const printed = execFileSync("python3", ["-c", script], { input, encoding: "utf8" });
  expect(printed).toBe("[True, False, False, False]\n");
});
