import type { Contest } from "../../contest.ts";
import { documentOf } from "../../document.ts";

const toMeaning = (answer: unknown): string => Buffer.from(answer as Uint8Array).toString();
const toText = (data: Uint8Array): string => (data as Buffer).toString("latin1");

/** Buffer does not validate: it skips characters that are not base64. The other is as strict as the tool. */
const contest: Contest = {
  data: Buffer.from(Buffer.from(documentOf(750_000)).toString("base64")),
  toMeaning,
  contestants: [
    { name: "Buffer", used: true, run: (data) => Buffer.from(toText(data), "base64"), toMeaning },
    {
      name: "Uint8Array.fromBase64, strict",
      used: false,
      run: (data) => Uint8Array.fromBase64(toText(data), { lastChunkHandling: "strict" }),
      toMeaning,
    },
  ],
};

export default contest;
