import type { Contest } from "../../contest.ts";
import { documentOf } from "../../document.ts";

const toMeaning = String;

const contest: Contest = {
  data: Buffer.from(documentOf(1_000_000)),
  toMeaning,
  contestants: [
    { name: "Buffer", used: true, run: (data) => (data as Buffer).toString("base64"), toMeaning },
    { name: "Uint8Array.toBase64", used: true, run: (data) => data.toBase64(), toMeaning },
  ],
};

export default contest;
