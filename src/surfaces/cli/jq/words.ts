import { usageError } from "../usage-error.ts";
import { visible } from "../visible.ts";

/** Short options of jq, which can be combined: `-rc`. */
const short: Readonly<Record<string, string>> = {
  r: "--raw-output",
  j: "--join-output",
  a: "--ascii-output",
  c: "--compact-output",
  s: "--slurp",
  n: "--null-input",
  e: "--exit-status",
  S: "--sort-keys",
  R: "--raw-input",
  f: "--from-file",
};

/** Options of jq that change nothing here. */
const ignored: readonly string[] = ["-M", "--monochrome-output", "--unbuffered", "-b", "--binary"];

const colours = "Results are written without colours here; leave the option out.";
const modules =
  "Modules are not supported; write the definitions into the filter, or into the file of --from-file.";

/** Options of jq that are refused, with what to do instead. */
const refused: Readonly<Record<string, string>> = {
  "-C": colours,
  "--color-output": colours,
  "-L": modules,
  "--library-path": modules,
  "--argfile": "Its values are those of --slurpfile NAME FILE, in an array; write $NAME[0] for the first.",
  "--stream-errors": "A document with a fault ends the run; leave the option out.",
  "-V": "penknife version prints the version; the filters are those of jq 1.8.",
  "--version": "penknife version prints the version; the filters are those of jq 1.8.",
};

/** Options with a name and a value. */
const pairs: readonly string[] = ["--arg", "--argjson", "--slurpfile", "--rawfile"];

/**
 * Rewrites a line of jq to the form of this program's options: `-rc` to `--raw-output --compact-output`, `--arg a b` to
 * `--arg=a=b`, and each word after `--args` to `--args=WORD`.
 * @throws ToolError invalid_input
 */
export function toLongOptions(words: readonly string[]): string[] {
  const long: string[] = [];
  const operands: string[] = [];
  let positional: "--args" | "--jsonargs" | undefined;
  let filter = false;
  let ended = false;
  for (let at = 0; at < words.length; at++) {
    const word = words[at] as string;
    if (ended || word === "-" || !word.startsWith("-")) {
      if (filter && positional !== undefined) long.push(`${positional}=${word}`);
      else operands.push(word);
      filter = true;
    } else if (word === "--") ended = true;
    else if (word === "--args" || word === "--jsonargs") positional = word;
    else if (pairs.includes(word)) {
      const [name, value] = [words[at + 1], words[at + 2]];
      if (name === undefined || value === undefined)
        throw usageError(`${word} needs a name and a value: ${word} NAME ${hints[word] ?? "VALUE"}`);
      long.push(`${word}=${name}=${value}`);
      at += 2;
    } else if (ignored.includes(word)) continue;
    else if (refusalOf(word) !== undefined) throw usageError(refusalOf(word) as string);
    else if (/^-[A-Za-z]+$/.test(word) && word !== "-h") {
      for (const letter of word.slice(1)) {
        const name = short[letter];
        const refusal = refusalOf(`-${letter}`);
        if (refusal !== undefined) throw usageError(refusal);
        if (name === undefined && !ignored.includes(`-${letter}`)) throw unknownLetter(letter, word);
        if (name === undefined) continue;
        // jq lets a flag repeat.
        if (!long.includes(name)) long.push(name);
        filter ||= name === "--from-file";
      }
      if (long.at(-1) === "--from-file" && words[at + 1] !== undefined) long.push(words[++at] as string);
    } else {
      if (!long.includes(word) || takesValue.includes(word)) long.push(word);
      filter ||= word === "--from-file" || word.startsWith("--from-file=");
      if (takesValue.includes(word) && words[at + 1] !== undefined) long.push(words[++at] as string);
    }
  }
  return [...long, "--", ...operands];
}

/** Returns why an option is refused; `-Ldir` and `--library-path=dir` name their value in the same word. */
function refusalOf(word: string): string | undefined {
  const name = word.startsWith("-L") ? "-L" : (word.split("=")[0] ?? "");
  return Object.hasOwn(refused, name) ? `${name}: ${refused[name]}` : undefined;
}

const hints: Readonly<Record<string, string>> = {
  "--argjson": "JSON",
  "--slurpfile": "FILE",
  "--rawfile": "FILE",
};

/** Long options whose next word is their value. */
const takesValue: readonly string[] = ["--indent", "--from-file", "--max-steps", "--config", "--data"];

const unknownLetter = (letter: string, word: string): Error =>
  usageError(
    `Unknown option -${visible(letter)}${word.length > 2 ? ` in ${visible(word.slice(0, 40))}` : ""}. Run penknife jq --help for a list.`,
  );
