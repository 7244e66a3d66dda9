import { boundedLimits, type Limits } from "../../../../src/lib/jq/meter.ts";
import { parseJson } from "../../../../src/lib/jq/parse-json.ts";
import { compileJq } from "../../../../src/lib/jq/run.ts";
import type { JqValue } from "../../../../src/lib/jq/value.ts";
import { toText } from "../../../../src/lib/jq/write-json.ts";

/** Returns the results of a filter, each as JSON on one line. */
export async function runJq(
  program: string,
  input = "null",
  { limits = boundedLimits, more = [] }: { limits?: Limits; more?: JqValue[] } = {},
): Promise<string[]> {
  const filter = await compileJq(program, { variables: new Map(), files: false, limits });
  let at = 0;
  const results = filter.run(parseJson(input), {
    input: () => more[at++],
    now: () => 1_425_599_621.678,
    message: () => {},
    filename: () => null,
  });
  const texts: string[] = [];
  for (let result = results.next(); result !== undefined; result = results.next()) texts.push(toText(result));
  return texts;
}
