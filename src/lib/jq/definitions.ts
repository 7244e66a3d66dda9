import { parseJq } from "./parse.ts";
import type { Definition } from "./syntax.ts";

/** Builtins that are written in jq. */
const sources: Readonly<Record<string, string>> = {
  "todate/0": `def todate: strftime("%Y-%m-%dT%H:%M:%SZ");`,
  "todateiso8601/0": `def todateiso8601: todate;`,
  "fromdateiso8601/0": `def fromdateiso8601: strptime("%Y-%m-%dT%H:%M:%SZ") | mktime;`,
  "fromdate/0": `def fromdate: fromdateiso8601;`,
  "date/0": `def date: todate;`,
  "dateadd/2": `def dateadd(u; n): . + n;`,
  "datesub/2": `def datesub(u; n): . - n;`,
  "finites/0": `def finites: select(isfinite and (isnan | not));`,
  "normals/0": `def normals: select(isnormal);`,
  "_path_indices/1": `def _path_indices($part): if type != "array" then (if type == "string" and ($part | type == "string") then indices($part) else .[$part] end)
    elif $part | type == "array" then .[$part] else .[[$part]] end;`,
  "_path_index/1": `def _path_index($part): _path_indices($part) | .[0];`,
  "_path_rindex/1": `def _path_rindex($part): _path_indices($part) | .[-1];`,
  "in/1": `def in(container): . as $key | container | has($key);`,
  "inside/1": `def inside(container): . as $part | container | contains($part);`,
  "repeat/1": `def repeat(f): def next: f, next; next;`,
  "while/2": `def while(test; f): def next: if test then ., (f | next) else empty end; next;`,
  "until/2": `def until(test; f): def next: if test then . else f | next end; next;`,
  "combinations/0": `def combinations: if length == 0 then [] else .[0][] as $first | (.[1:] | combinations) as $rest | [$first] + $rest end;`,
  "combinations/1": `def combinations(n): . as $all | [range(n)] | map($all) | combinations;`,
  "walk/1": `def walk(f): def inner: if type == "object" then map_values(inner) elif type == "array" then map(inner) else . end | f; inner;`,
  "debug/1": `def debug(f): (f | debug | empty), .;`,
  "pick/1": `def pick(paths): . as $all | reduce path(paths) as $path (null; setpath($path; $all | getpath($path)));`,
  "tostream/0": `def tostream: path(def below: (.[]? | below), .; below) as $path | getpath($path) | reduce path(.[]?) as $key ([$path, .]; [$path + $key]);`,
  "fromstream/1": `def fromstream(events): {value: null, complete: false} as $start
    | foreach events as $event ($start;
        if .complete then $start else . end
        | if $event | length == 2
          then .complete = ($event[0] | length == 0) | setpath(["value"] + $event[0]; $event[1])
          else .complete = ($event[0] | length == 1) end;
        if .complete then .value else empty end);`,
  "truncate_stream/1": `def truncate_stream(events): . as $depth | null | events | . as $event
    | if (.[0] | length) > $depth then setpath([0]; $event[0][$depth:]) else empty end;`,
  "match/1": `def match(pattern): _matches(pattern; null)[];`,
  "match/2": `def match(pattern; flags): _matches(pattern; flags)[];`,
  "capture/1": `def capture(pattern): match(pattern) | _captured;`,
  "capture/2": `def capture(pattern; flags): match(pattern; flags) | _captured;`,
  "scan/1": `def scan($pattern): scan($pattern; null);`,
  "scan/2": `def scan($pattern; $flags): match($pattern; "g" + $flags) | if (.captures | length) > 0 then [.captures[].string] else .string end;`,
  "splits/1": `def splits($pattern): split($pattern; null)[];`,
  "splits/2": `def splits($pattern; flags): split($pattern; flags)[];`,
  "sub/2": `def sub(pattern; text): sub(pattern; text; "");`,
  "sub/3": `def sub($pattern; text; $flags): . as $input | _matches($pattern; $flags) as $edits
    | [$edits[] | _captured | [text]] as $texts | $input | _replace($edits; $texts)[];`,
  "gsub/2": `def gsub(pattern; text): sub(pattern; text; "g");`,
  "gsub/3": `def gsub(pattern; text; $flags): sub(pattern; text; $flags + "g");`,
  "INDEX/1": `def INDEX(key): INDEX(.[]; key);`,
  "INDEX/2": `def INDEX(rows; key): reduce rows as $row ({}; .[$row | key | tostring] = $row);`,
  "IN/1": `def IN(values): any(values == .; .);`,
  "IN/2": `def IN(left; right): any(left == right; .);`,
  "JOIN/2": `def JOIN($index; key): [.[] | [., $index[key]]];`,
  "JOIN/3": `def JOIN($index; rows; key): rows | [., $index[key]];`,
  "JOIN/4": `def JOIN($index; rows; key; join): rows | [., $index[key]] | join;`,
};

const parsed = new Map<string, Definition>();

/** The definition of a builtin by name and number of arguments, parsed on first use. */
export function definitionOf(signature: string): Definition | undefined {
  const known = parsed.get(signature);
  if (known !== undefined || !Object.hasOwn(sources, signature)) return known;
  const filter = parseJq(`${sources[signature] as string} .`);
  if (filter.kind !== "define") throw new Error(`The definition of ${signature} is none`);
  parsed.set(signature, filter.definition);
  return filter.definition;
}

export const definedNames: readonly string[] = Object.keys(sources);
