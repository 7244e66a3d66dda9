import type { Handed, Input } from "../editor/input.ts";
import type { PageCall } from "../../../../catalog/call.ts";
import type { Tab } from "../tab/tab.ts";
import type { Offer } from "./suggest.ts";

/** Bytes of a file that are looked at: one more than the tool reads, so that it knows that the file is longer. */
const lookedAt = 1_048_577;

/** Finds the tools that fit an input. @throws DOMException AbortError */
export async function detect(tab: Tab, input: Input, signal: AbortSignal): Promise<readonly Offer[]> {
  const { body } = await tab.run(
    { slug: "input-detector", body: await toBody(input, {}, lookedAt), form: "bytes", check: false },
    signal,
  );
  return (JSON.parse(toText(body)) as { items: Offer[] }).items;
}

/** Runs all steps of an offer, and returns its result: a text, or bytes that are none. @throws Refusal */
export async function runOffer(
  tab: Tab,
  input: Input,
  offer: Offer,
  signal: AbortSignal,
): Promise<string | Uint8Array<ArrayBuffer>> {
  const { input: document, options } = await prepare(tab, input, offer);
  const body: PageCall["body"] =
    offer.field === "data" ? await toBody(document, options) : { kind: "input", input: { ...options } };
  const answer = await tab.run({ slug: offer.tool, body, form: "bytes", check: false }, signal);
  const result = fromResult(answer.body);
  return result.kind === "text" ? result.text : (answer.body as Uint8Array<ArrayBuffer>);
}

/** Runs all steps of an offer but the last, and returns what the page of the last begins with. */
export async function prepare(tab: Tab, input: Input, { steps, part, field }: Offer): Promise<Handed> {
  let document: Input = part === null ? input : { kind: "text", text: await cut(input, part) };
  for (const step of steps.slice(0, -1)) {
    const body = await toBody(document, step.with);
    const answer = await tab.run({ slug: step.tool, body, form: "bytes", check: false });
    document = fromResult(answer.body);
  }
  const options = steps.at(-1)?.with ?? {};
  if (field === "data") return { input: document, options };
  const none: Input = { kind: "text", text: "" };
  if (field === null || document.kind !== "text") return { input: none, options };
  return { input: none, options: { ...options, [field]: document.text } };
}

async function toBody(
  input: Input,
  options: Readonly<Record<string, unknown>>,
  maxBytes = Infinity,
): Promise<PageCall["body"]> {
  if (input.kind === "text") return { kind: "input", input: { ...options, data: input.text } };
  const bytes = new Uint8Array(await input.file.slice(0, maxBytes).arrayBuffer());
  return { kind: "raw", bytes, text: false, options };
}

async function cut(input: Input, { offset, length }: { offset: number; length: number }): Promise<string> {
  const bytes = input.kind === "text" ? new TextEncoder().encode(input.text) : await input.file.bytes();
  return new TextDecoder().decode(bytes.subarray(offset, offset + length));
}

const toText = (body: string | Uint8Array): string =>
  typeof body === "string" ? body : new TextDecoder().decode(body);

function fromResult(body: string | Uint8Array): Input {
  if (typeof body === "string") return { kind: "text", text: body };
  try {
    return { kind: "text", text: new TextDecoder("utf-8", { fatal: true }).decode(body) };
  } catch {
    return { kind: "file", file: new Blob([body as Uint8Array<ArrayBuffer>]), name: "result" };
  }
}
