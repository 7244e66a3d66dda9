import { type Command, defineLeaf } from "../command.ts";
import type { Host } from "../host.ts";
import { usageError } from "../usage-error.ts";
import { visible } from "../visible.ts";
import { completeLine } from "./complete-line.ts";
import { type Shell, scripts } from "./scripts.ts";

const shells = Object.keys(scripts) as Shell[];

/** @param root The group of all commands, which imports this file. */
export const completionCommandOf = (root: Command): Command =>
  defineLeaf({
    description: "Print the script that completes command lines of penknife in a shell.",
    many: true,
    args: {
      shell: {
        type: "positional",
        required: true,
        valueHint: shells.join("|"),
        description: "The shell; words of a command line after -- print what completes the last one",
      },
    },
    examples: [
      "source <(penknife completion bash)",
      "penknife completion zsh > ~/.zfunc/_penknife",
      "penknife completion fish > ~/.config/fish/completions/penknife.fish",
    ],
    async run({ shell }, host, raw) {
      if (!isShell(shell))
        throw usageError(
          `SHELL must be ${shells.join(", ").replace(/, (?=\w+$)/, " or ")}, got ${visible(shell.slice(0, 80))}.`,
        );
      const words = raw.slice(raw.indexOf("--") + 2);
      await host.stdout.write(words.length === 0 ? scripts[shell] : await answer(root, words, shell, host));
    },
  });

const isShell = (word: string): word is Shell => Object.hasOwn(scripts, word);

/**
 * Returns a line with `files`, `folders` or `none`, which says whether a path may stand here, then a line for each word:
 * the word, a tab, its description. bash shows no descriptions, so that it gets none: loading every tool for them takes time.
 */
async function answer(root: Command, words: readonly string[], shell: Shell, host: Host): Promise<string> {
  const { paths, candidates } = await completeLine(root, words, shell !== "bash", host);
  const lines = candidates.map(({ word, description }) =>
    description === "" ? word : `${word}\t${visible(description).replaceAll(/\s+/g, " ")}`,
  );
  return [paths, ...lines, ""].join("\n");
}
