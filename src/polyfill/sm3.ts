import type { CHash } from "@noble/hashes/utils.js";

const blockSize = 64;
const digestSize = 32;
const start = [
  0x73_80_16_6f, 0x49_14_b2_b9, 0x17_24_42_d7, 0xda_8a_06_00, 0xa9_6f_30_bc, 0x16_31_38_aa, 0xe3_8d_ee_4d,
  0xb0_fb_0e_4e,
];

const rotate = (word: number, by: number): number => (word << by) | (word >>> (32 - by));
const permute0 = (word: number): number => word ^ rotate(word, 9) ^ rotate(word, 17);
const permute1 = (word: number): number => word ^ rotate(word, 15) ^ rotate(word, 23);

/** SM3 (GB/T 32905-2016), which @noble/hashes lacks. */
class State {
  blockLen = blockSize;
  outputLen = digestSize;
  #words = Int32Array.from(start);
  #block = new Uint8Array(blockSize);
  #filled = 0;
  #length = 0;

  update(bytes: Uint8Array): this {
    this.#length += bytes.length;
    for (let at = 0; at < bytes.length;) {
      const part = bytes.subarray(at, at + blockSize - this.#filled);
      this.#block.set(part, this.#filled);
      this.#filled += part.length;
      at += part.length;
      if (this.#filled === blockSize) this.#compress();
    }
    return this;
  }

  digest(): Uint8Array {
    const bits = BigInt(this.#length) * 8n;
    this.#block[this.#filled] = 0x80;
    this.#block.fill(0, this.#filled + 1);
    if (this.#filled + 1 > blockSize - 8) {
      this.#compress();
      this.#block.fill(0);
    }
    new DataView(this.#block.buffer).setBigUint64(blockSize - 8, bits);
    this.#compress();
    const result = new DataView(new ArrayBuffer(digestSize));
    for (const [index, word] of this.#words.entries()) result.setInt32(index * 4, word);
    return new Uint8Array(result.buffer);
  }

  digestInto(target: Uint8Array): void {
    target.set(this.digest());
  }

  clone(): State {
    const copy = new State();
    copy.#words = this.#words.slice();
    copy.#block = this.#block.slice();
    copy.#filled = this.#filled;
    copy.#length = this.#length;
    return copy;
  }

  _cloneInto(): State {
    return this.clone();
  }

  destroy(): void {
    this.#block.fill(0);
    this.#words.fill(0);
  }

  /** Section 5.3. */
  #compress(): void {
    this.#filled = 0;
    const words = expand(new DataView(this.#block.buffer));
    let [a, b, c, d, e, f, g, h] = this.#words as unknown as [
      number,
      number,
      number,
      number,
      number,
      number,
      number,
      number,
    ];
    for (let round = 0; round < 64; round++) {
      const isEarly = round < 16;
      const turned = rotate(a, 12);
      const first = rotate((turned + e + rotate(isEarly ? 0x79_cc_45_19 : 0x7a_87_9d_8a, round % 32)) | 0, 7);
      const second = first ^ turned;
      const word = words[round] as number;
      const left =
        (isEarly ? a ^ b ^ c : (a & b) | (a & c) | (b & c)) +
        d +
        second +
        (word ^ (words[round + 4] as number));
      const right = (isEarly ? e ^ f ^ g : (e & f) | (~e & g)) + h + first + word;
      [a, b, c, d, e, f, g, h] = [left | 0, a, rotate(b, 9), c, permute0(right | 0), e, rotate(f, 19), g];
    }
    for (const [index, value] of [a, b, c, d, e, f, g, h].entries())
      this.#words[index] = (this.#words[index] as number) ^ value;
  }
}

/** Section 5.3.2. */
function expand(block: DataView): Int32Array {
  const words = new Int32Array(68);
  const at = (index: number): number => words[index] as number;
  for (let index = 0; index < 16; index++) words[index] = block.getInt32(index * 4);
  for (let index = 16; index < 68; index++)
    words[index] =
      permute1(at(index - 16) ^ at(index - 9) ^ rotate(at(index - 3), 15)) ^
      rotate(at(index - 13), 7) ^
      at(index - 6);
  return words;
}

export const sm3: CHash = Object.assign(
  (bytes: Uint8Array): Uint8Array => new State().update(bytes).digest(),
  {
    blockLen: blockSize,
    outputLen: digestSize,
    canXOF: false,
    create: () => new State(),
  },
) as unknown as CHash;
