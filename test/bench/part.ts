/** Options of every part of the benchmark. */
export interface PartOptions {
  /** Few and short rounds: shows that the part works, not figures to quote. */
  quick: boolean;
  /** The command line of penknife: the program and its first arguments. */
  command: readonly string[];
  /** Reports progress. */
  say(line: string): void;
}
