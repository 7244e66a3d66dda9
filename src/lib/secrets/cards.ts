/** Reports whether digits are the number of a card: an issuer's range and length (ISO/IEC 7812), and the check digit. */
export function isCard(digits: string): boolean {
  const { length } = digits;
  const head = Number(digits.slice(0, 4));
  const issued = issuers.some(
    ([from, to, lengths]) => head >= from && head <= to && length >= lengths[0] && length <= lengths[1],
  );
  return issued && (head < 4000 || head > 4999 || [13, 16, 19].includes(length)) && hasCheckDigit(digits);
}

/** First four digits, from and to, and the lengths, from and to; as the networks publish them. */
const issuers: readonly (readonly [number, number, readonly [number, number]])[] = [
  // Visa
  [4000, 4999, [13, 19]],
  // Mastercard
  [5100, 5599, [16, 16]],
  [2221, 2720, [16, 16]],
  // American Express
  [3400, 3499, [15, 15]],
  [3700, 3799, [15, 15]],
  // Discover, RuPay, UnionPay
  [6000, 6099, [16, 19]],
  [6200, 6299, [16, 19]],
  [6440, 6599, [16, 19]],
  // Diners Club
  [3000, 3059, [14, 19]],
  [3095, 3095, [14, 19]],
  [3600, 3699, [14, 19]],
  [3800, 3999, [14, 19]],
  // JCB
  [3528, 3589, [16, 19]],
  // Maestro
  [5000, 5099, [13, 19]],
  [5600, 5899, [13, 19]],
  [6300, 6399, [13, 19]],
  [6700, 6799, [13, 19]],
  // Mir
  [2200, 2204, [16, 19]],
];

/** ISO/IEC 7812-1, annex B: the sum of the digits, with every second from the right doubled. */
function hasCheckDigit(digits: string): boolean {
  let sum = 0;
  for (let place = 0; place < digits.length; place++) {
    const digit = Number(digits[digits.length - 1 - place]);
    const doubled = digit * (1 + (place % 2));
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}
