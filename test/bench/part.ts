/** What every part of the benchmark is told. */
export interface PartOptions {
  /** Few and short rounds: to see that it runs, not to quote it. */
  quick: boolean;
  /** The program that is penknife, with its first arguments. */
  command: readonly string[];
  /** Progress for whoever waits. */
  say(line: string): void;
}
