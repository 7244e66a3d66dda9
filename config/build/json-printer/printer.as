// The JSON printer, in AssemblyScript: checks the grammar of RFC 8259 and writes the document in another
// layout, in one pass over bytes. It accepts or refuses; src/lib/json/scan.ts finds what is wrong and where.
//
// Two facts make it fast. A token is copied as it is read, so `delta` (address in the output minus
// address in the input) changes only where white space is dropped or added. And memory always has room
// for the whole rest of the input, so room is checked once per line, not once per byte.
//
// On one line the output is never longer than the input read so far, so it may overwrite the input:
// it starts 64 bytes before it, and no store reaches unread bytes. Measuring does that and counts
// what an indented layout would add, so that memory grows once, and only for a result that fits.
//
// The input is followed by 16 zero bytes. Zero ends every token, so no read needs a bounds check. Stores
// are up to 32 bytes wide and may run past the end of a token, into SLACK.

const SLACK: usize = 128;
/** Pages: 24 MiB. */
const SMALL: usize = 384;
const REFUSED: i32 = 0;

/** Whether a byte above 0x7f was seen; the caller then has to validate UTF-8. */
let high: i32 = 0;

/**
 * Returns the length of the output, negated if the document is not pure ASCII. Returns 0 if the document is
 * refused; the first word of memory then holds 0 (malformed or too deep) or the address in the
 * input at which the output exceeded `limit` bytes. `stack` has `maxDepth` bytes. `indent` 0 is one line.
 * `output` lies at least 16 bytes after `end`; on one line, or if `measure` is not 0, it may instead lie
 * 64 bytes before `input`. With `measure` the document is written on one line, the length returned is that
 * of the layout with `indent`, and the second word of memory holds the number of bytes written.
 */
export function print(
  input: usize,
  end: usize,
  output: usize,
  limit: usize,
  indent: usize,
  stack: usize,
  maxDepth: usize,
  measure: i32,
): i32 {
  const top = output + limit;
  let room = roomBefore(end);
  let depth: usize = 0;
  let width: usize = 0;
  let close: u32 = 0; // the byte that closes the innermost container; 0 outside all
  let unwritten: usize = 0; // bytes of the layout that measuring leaves out
  high = 0;
  store<u32>(0, 0);
  v128.store(end, i8x16.splat(0));
  let ip = skipSpace(input);
  let next: usize;
  let delta = output - ip;

  while (true) {
    // A member, an element or the document starts at ip.
    if (close != 0) {
      if (measure != 0) {
        if (ip + delta + unwritten + width > top) return tooLarge(ip);
        unwritten += width + 1;
      } else if (indent != 0) {
        const op = ip + delta;
        if (op + width > top) return tooLarge(ip);
        if (delta + width > room) {
          if (!grow(op + width + (end - ip))) return tooLarge(ip);
          room = roomBefore(end);
        }
        newLine(op, width);
        delta += width + 1;
      }
      if (close == 0x7d) {
        if (load<u8>(ip) != 0x22) return REFUSED;
        ip = copyString(ip, delta);
        if (ip == 0) return REFUSED;
        next = skipSpace(ip);
        delta -= next - ip;
        ip = next;
        if (load<u8>(ip) != 0x3a) return REFUSED;
        store<u16>(ip + delta, 0x203a);
        ip++;
        if (measure != 0) unwritten++;
        else if (indent != 0) delta++;
        next = skipSpace(ip);
        delta -= next - ip;
        ip = next;
      }
    }

    const c: u32 = load<u8>(ip);
    if (c == 0x22) {
      ip = copyString(ip, delta);
      if (ip == 0) return REFUSED;
    } else if (c - 0x30 < 10 || c == 0x2d) {
      ip = copyNumber(ip, delta);
      if (ip == 0) return REFUSED;
    } else if (c == 0x7b || c == 0x5b) {
      if (depth == maxDepth) return REFUSED;
      store<u8>(ip + delta, <u8>c);
      ip++;
      next = skipSpace(ip);
      delta -= next - ip;
      ip = next;
      if (<u32>load<u8>(ip) != c + 2) {
        store<u8>(stack + depth, <u8>close);
        depth++;
        width += indent;
        close = c + 2;
        continue;
      }
      store<u8>(ip + delta, <u8>(c + 2));
      ip++;
    } else {
      ip = copyLiteral(ip, delta);
      if (ip == 0) return REFUSED;
    }

    // A value has ended before ip.
    while (true) {
      next = skipSpace(ip);
      delta -= next - ip;
      ip = next;
      const d: u32 = load<u8>(ip);
      if (d == 0x2c) {
        if (close == 0) return REFUSED;
        store<u8>(ip + delta, 0x2c);
        ip++;
        next = skipSpace(ip);
        delta -= next - ip;
        ip = next;
        break;
      }
      if (d != close) return REFUSED;
      if (d == 0) {
        if (ip != end) return REFUSED;
        store<u32>(4, <u32>(ip + delta - output));
        const size = ip + delta + unwritten - output;
        if (size > limit) return tooLarge(ip);
        return high != 0 ? -(<i32>size) : <i32>size;
      }
      depth--;
      width -= indent;
      close = load<u8>(stack + depth);
      if (measure != 0) {
        if (ip + delta + unwritten + width > top) return tooLarge(ip);
        unwritten += width + 1;
      } else if (indent != 0) {
        const op = ip + delta;
        if (op + width > top) return tooLarge(ip);
        if (delta + width > room) {
          if (!grow(op + width + (end - ip))) return tooLarge(ip);
          room = roomBefore(end);
        }
        newLine(op, width);
        delta += width + 1;
      }
      store<u8>(ip + delta, <u8>d);
      ip++;
    }
  }
}

/** The delta up to which the rest of the input and SLACK fit into memory. */
function roomBefore(end: usize): usize {
  return (<usize>memory.size() << 16) - SLACK - end;
}

/** Grows memory up to the address `need`; by at least a quarter while memory is small, so that it grows rarely. */
function grow(need: usize): bool {
  const pages = <usize>memory.size();
  const wanted = ((need + SLACK) >> 16) + 1;
  const more = wanted > pages ? wanted - pages : 1;
  return memory.grow(<i32>(pages < SMALL ? more + (pages >> 2) : more)) >= 0;
}

function tooLarge(ip: usize): i32 {
  store<u32>(0, <u32>ip);
  return REFUSED;
}

function newLine(op: usize, width: usize): void {
  v128.store(op, i8x16(10, 32, 32, 32, 32, 32, 32, 32, 32, 32, 32, 32, 32, 32, 32, 32));
  if (width > 15) {
    const stop = op + width;
    op += 16;
    do {
      v128.store(op, i8x16.splat(32));
      op += 16;
    } while (op <= stop);
  }
}

/** Returns the address of the first byte at or after `ip` that is not white space. */
@inline
function skipSpace(ip: usize): usize {
  return load<u8>(ip) > 0x20 ? ip : endOfSpace(ip);
}

function endOfSpace(ip: usize): usize {
  while (true) {
    const v = v128.load(ip);
    const space = v128.or(
      v128.or(i8x16.eq(v, i8x16.splat(0x20)), i8x16.eq(v, i8x16.splat(0x0a))),
      v128.or(i8x16.eq(v, i8x16.splat(0x0d)), i8x16.eq(v, i8x16.splat(0x09))),
    );
    const mask = i8x16.bitmask(space);
    if (mask != 0xffff) return ip + ctz(~mask);
    ip += 16;
  }
}

/** Copies the string whose opening quote is at `ip`; returns the address after it, or 0. */
function copyString(ip: usize, delta: usize): usize {
  store<u8>(ip + delta, 0x22);
  ip++;
  while (true) {
    const v = v128.load(ip);
    v128.store(ip + delta, v);
    const mask = i8x16.bitmask(
      v128.or(
        v128.or(i8x16.eq(v, i8x16.splat(0x22)), i8x16.eq(v, i8x16.splat(0x5c))),
        i8x16.lt_u(v, i8x16.splat(0x20)),
      ),
    );
    if (i8x16.bitmask(v)) high = 1;
    if (mask == 0) {
      ip += 16;
      continue;
    }
    ip += ctz(mask);
    const c = load<u8>(ip);
    if (c == 0x22) return ip + 1;
    if (c != 0x5c) return 0;
    store<u64>(ip + delta, load<u64>(ip));
    const e = load<u8>(ip + 1);
    if (e == 0x75) {
      if (!isHex(load<u8>(ip + 2)) || !isHex(load<u8>(ip + 3))) return 0;
      if (!isHex(load<u8>(ip + 4)) || !isHex(load<u8>(ip + 5))) return 0;
      ip += 6;
    } else if (e == 0x22 || e == 0x5c || e == 0x2f || e == 0x6e || e == 0x72 || e == 0x74 || e == 0x62 || e == 0x66) {
      ip += 2;
    } else {
      return 0;
    }
  }
}

function isHex(c: u32): bool {
  return c - 0x30 < 10 || (c | 0x20) - 0x61 < 6;
}

/** Copies the number that starts at `ip`; returns the address after it, or 0. Most numbers fit into 32 bytes. */
function copyNumber(ip: usize, delta: usize): usize {
  const v = v128.load(ip);
  const w = v128.load(ip, 16);
  v128.store(ip + delta, v);
  v128.store(ip + delta, w, 16);
  const digits =
    i8x16.bitmask(i8x16.lt_u(i8x16.sub(v, i8x16.splat(0x30)), i8x16.splat(10))) |
    (i8x16.bitmask(i8x16.lt_u(i8x16.sub(w, i8x16.splat(0x30)), i8x16.splat(10))) << 16);
  let at: u32 = load<u8>(ip) == 0x2d ? 1 : 0;
  let run: u32 = ctz(~(digits >> at));
  if (run == 0) return 0;
  if (run > 1 && load<u8>(ip + at) == 0x30) return 0;
  at += run;
  if (at > 30) return copyLongNumber(ip, delta);
  let c: u32 = load<u8>(ip + at);
  if (c == 0x2e) {
    at++;
    run = ctz(~(digits >> at));
    if (run == 0) return 0;
    at += run;
    if (at > 30) return copyLongNumber(ip, delta);
    c = load<u8>(ip + at);
  }
  if ((c | 0x20) == 0x65) return copyLongNumber(ip, delta);
  return ip + at;
}

function copyLongNumber(ip: usize, delta: usize): usize {
  if (load<u8>(ip) == 0x2d) ip = copyByte(ip, delta);
  const zero = load<u8>(ip) == 0x30;
  let from = ip;
  ip = copyDigits(ip, delta);
  if (ip == from || (zero && ip > from + 1)) return 0;
  if (load<u8>(ip) == 0x2e) {
    from = copyByte(ip, delta);
    ip = copyDigits(from, delta);
    if (ip == from) return 0;
  }
  if ((load<u8>(ip) | 0x20) == 0x65) {
    from = copyByte(ip, delta);
    const sign = load<u8>(from);
    if (sign == 0x2b || sign == 0x2d) from = copyByte(from, delta);
    ip = copyDigits(from, delta);
    if (ip == from) return 0;
  }
  return ip;
}

function copyDigits(ip: usize, delta: usize): usize {
  while (<u32>load<u8>(ip) - 0x30 < 10) ip = copyByte(ip, delta);
  return ip;
}

function copyByte(ip: usize, delta: usize): usize {
  store<u8>(ip + delta, load<u8>(ip));
  return ip + 1;
}

function copyLiteral(ip: usize, delta: usize): usize {
  const word = load<u32>(ip);
  store<u32>(ip + delta, word);
  if (word == 0x65757274 || word == 0x6c6c756e) return ip + 4;
  if (word != 0x736c6166 || load<u8>(ip + 4) != 0x65) return 0;
  store<u8>(ip + delta + 4, 0x65);
  return ip + 5;
}
