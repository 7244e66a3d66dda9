import { parse } from "csv-parse/sync";
import Papa from "papaparse";
import { csvToJsonText } from "../../../../src/lib/csv/to-json-text.ts";
import type { Contest } from "../../contest.ts";
import { csvOf } from "../../tool-documents.ts";

const options = {
  delimiter: ",",
  quote: '"',
  comment: "",
  quotes: "strict",
  header: true,
  duplicateHeaders: "error",
  ragged: "error",
  emptyLines: "keep",
  types: "none",
  inferColumns: [],
  limit: Number.POSITIVE_INFINITY,
} as const;

const toMeaning = (answer: unknown): unknown => JSON.parse(String(answer));

/** The whole way, from bytes to indented JSON. */
const contest: Contest = {
  data: Buffer.from(csvOf(1_000_000)),
  toMeaning,
  contestants: [
    {
      name: "our csvToJsonText",
      used: true,
      run: (data) => csvToJsonText(data.toString(), options, 2),
      toMeaning,
    },
    {
      name: "papaparse and JSON.stringify",
      used: false,
      run: (data) =>
        JSON.stringify(Papa.parse(data.toString(), { header: true, skipEmptyLines: true }).data, null, 2),
      toMeaning,
    },
    {
      name: "csv-parse and JSON.stringify",
      used: false,
      run: (data) => JSON.stringify(parse(data.toString(), { columns: true }), null, 2),
      toMeaning,
    },
  ],
};

export default contest;
