import { dump, load } from "js-yaml";
import { stringify } from "yaml";
import { fromJson } from "../../../../src/lib/data/from-json.ts";
import { toYaml } from "../../../../src/lib/yaml/to-yaml.ts";
import type { Contest } from "../../contest.ts";
import { documentOf } from "../../document.ts";

const layout = { indent: 2, compat: "yaml1.1", lineWidth: 0 } as const;
const toMeaning = (answer: unknown): unknown => load(String(answer));

const contest: Contest = {
  data: Buffer.from(documentOf(1_000_000)),
  toMeaning,
  contestants: [
    {
      name: "our toYaml",
      used: true,
      run: (data) => toYaml(fromJson(data.toString()), layout),
      toMeaning,
    },
    {
      name: "JSON.parse and yaml",
      used: false,
      run: (data) => stringify(JSON.parse(data.toString())),
      toMeaning,
    },
    {
      name: "JSON.parse and js-yaml",
      used: false,
      run: (data) => dump(JSON.parse(data.toString())),
      toMeaning,
    },
  ],
};

export default contest;
