/** Words that say nothing about a tool. */
const empty = new Set(
  "a an the of in on for with and or my me i is are do does how can what this that it its into as by be at please tool online free using use via if not only all any each per".split(
    " ",
  ),
);

/** Words for one thing, the first of which stands for all; after `stem`. */
const synonyms = [
  "format prettify prettifi pretti beautif beautifi beauti pretty tidy tidi indent reformat fmt",
  "minif minify minifi compress compact uglify uglifi shrink",
  "validat valid check lint verif verify verifi correct",
  "decod decrypt",
  "generat creat make new random",
  "diff differ compar compare comparison",
  "redact mask censor anonymiz anonymis scrub sanitiz sanitis obfuscat hid",
  "convert transform translat chang",
  "certificat cert ssl tls crt",
  "regex regexp",
  "b64 base64",
  "yaml yml",
  "ndjson jsonl jsonlin ldjson",
  "timestamp epoch",
  "timezone tz",
  "env dotenv",
  "guid uuid",
  "remov strip delet drop",
  "hex hexadecim",
  "pars read view viewer display show inspect explain",
  "pwd password passwd",
  "ansi vt100",
  "uniq unique dedup deduplicat duplicat",
  "url uri link",
  "network subnet",
].map((line) => line.split(" "));

const canonical = new Map(synonyms.flatMap(([first = "", ...others]) => others.map((word) => [word, first])));

const stemmed = /(?:ations?|ators?|ating|ates?|ated|ifiers?|ifying|ings?|ers?|ors?|ed|es|s|e)$/;

/** Cuts the ending of an English word, so that decode, decoder and decoding are one. */
function stem(word: string): string {
  if (word.length < 5 || /\d/.test(word))
    return word.length > 3 && /[^s]s$/.test(word) ? word.slice(0, -1) : word;
  const cut = word.replace(stemmed, (ending) =>
    ending.startsWith("at") ? "at" : ending.startsWith("if") ? "if" : "",
  );
  // formatted, formatter: format.
  const single = cut === word ? word : cut.replace(/([bdgmnprt])\1$/, "$1");
  return single.length >= 3 ? single : word;
}

/** Returns the words of a text in one spelling: without case, endings and synonyms; json2yaml is three words. */
export function wordsOf(text: string): string[] {
  const words = text
    .normalize("NFKC")
    .replaceAll(/([\p{Ll}\d])(\p{Lu}\p{Ll})/gu, "$1 $2")
    .toLowerCase()
    .replaceAll(/(\p{L}{2})2(\p{L}{2})/gu, "$1 to $2")
    .match(/&\w+;|%\w\w|[\p{L}\p{N}_]+(?:[.'][\p{L}\p{N}]+)*[#+]*|[^\s\p{L}\p{N}]+/gu);
  return (words ?? [])
    .flatMap((word) => (/[_.]/.test(word) ? [word, ...word.split(/[_.]/)] : [word]))
    .filter((word) => word !== "" && !empty.has(word))
    .map(stem)
    .map((word) => canonical.get(word) ?? word);
}

/** Returns a word for each conversion in a list of words: "json>yaml" for json, to, yaml. */
export function pairsOf(words: readonly string[]): string[] {
  const pairs: string[] = [];
  for (const [at, word] of words.entries()) {
    const [from, to] = [words[at - 1], words[at + 1]];
    if (word === "to" && from !== undefined && to !== undefined) pairs.push(`${from}>${to}`);
  }
  return pairs;
}
