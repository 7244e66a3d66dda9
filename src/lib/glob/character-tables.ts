import type { Step } from "./program.ts";

/** The positions of an automaton that accept a character, as bits of words. */
export interface CharacterTables {
  /** Returns the positions that accept a character; undefined for one that is too rare to have a table. */
  tableOf(code: number): Int32Array | undefined;
  /** Returns which of these positions of a word accept a character without a table. */
  accepting(word: number, bits: number, character: string): number;
}

/** Characters below this code have a table each of the positions that accept them. */
const tabled = 128;

/** @param stepOf The step of each position. */
export function createCharacterTables(steps: readonly Step[], stepOf: readonly number[]): CharacterTables {
  const size = Math.ceil(stepOf.length / 32);
  const tables: (Int32Array | undefined)[] = [];

  function tableOf(code: number): Int32Array | undefined {
    if (code >= tabled) return undefined;
    let table = tables[code];
    if (table === undefined) {
      table = new Int32Array(size);
      const character = String.fromCodePoint(code);
      for (const [position, index] of stepOf.entries()) {
        const step = steps[index];
        if (step?.kind === "one" && step.test(character))
          table[position >>> 5] = (table[position >>> 5] as number) | (1 << position);
      }
      tables[code] = table;
    }
    return table;
  }

  function accepting(word: number, bits: number, character: string): number {
    let accepted = 0;
    for (let rest = bits; rest !== 0; rest &= rest - 1) {
      const bit = lowestBit(rest);
      const step = steps[stepOf[word * 32 + bit] as number];
      if (step?.kind === "one" && step.test(character)) accepted |= 1 << bit;
    }
    return accepted;
  }

  return { tableOf, accepting };
}

export const lowestBit = (bits: number): number => 31 - Math.clz32(bits & -bits);
