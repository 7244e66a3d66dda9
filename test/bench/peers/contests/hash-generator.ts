import { createHash, hash } from "node:crypto";
import type { Contest } from "../../contest.ts";
import { documentOf } from "../../document.ts";

const toMeaning = String;

const contest: Contest = {
  data: Buffer.from(documentOf(1_000_000)),
  toMeaning,
  contestants: [
    { name: "crypto.hash of node:crypto", used: true, run: (data) => hash("sha256", data, "hex"), toMeaning },
    {
      name: "crypto.createHash of node:crypto",
      used: false,
      run: (data) => createHash("sha256").update(data).digest("hex"),
      toMeaning,
    },
  ],
};

export default contest;
