import { raise, shown } from "./fault.ts";
import type { Native, Natives } from "./natives.ts";
import { absolute } from "./natives-value.ts";
import { doubleOf, isNumber, type JqValue } from "./value.ts";

/** A function of the input. */
const one =
  (compute: (value: number) => number): Native =>
  (value) =>
    compute(numberOf(value));

/** A function of two arguments. */
const two =
  (compute: (a: number, b: number) => number): Native =>
  (_, [a, b]) =>
    compute(numberOf(a as JqValue), numberOf(b as JqValue));

function numberOf(value: JqValue): number {
  return isNumber(value) ? doubleOf(value) : raise(`${shown(value)} number required`);
}

const functions: Readonly<Record<string, (value: number) => number>> = {
  floor: Math.floor,
  ceil: Math.ceil,
  round: roundAway,
  trunc: Math.trunc,
  nearbyint: roundEven,
  rint: roundEven,
  sqrt: Math.sqrt,
  cbrt: Math.cbrt,
  fabs: Math.abs,
  exp: Math.exp,
  exp2: (value) => 2 ** value,
  exp10: (value) => 10 ** value,
  pow10: (value) => 10 ** value,
  expm1: Math.expm1,
  log: Math.log,
  log2: Math.log2,
  log10: Math.log10,
  log1p: Math.log1p,
  logb: (value) => (value === 0 ? -Infinity : Number.isFinite(value) ? split(value)[1] - 1 : Math.abs(value)),
  significand: (value) => (value === 0 || !Number.isFinite(value) ? value : split(value)[0] * 2),
  sin: Math.sin,
  cos: Math.cos,
  tan: Math.tan,
  asin: Math.asin,
  acos: Math.acos,
  atan: Math.atan,
  sinh: Math.sinh,
  cosh: Math.cosh,
  tanh: Math.tanh,
  asinh: Math.asinh,
  acosh: Math.acosh,
  atanh: Math.atanh,
  gamma: logGamma,
  lgamma: logGamma,
  lgamma_r: logGamma,
  tgamma: gamma,
};

const pairs: Readonly<Record<string, (a: number, b: number) => number>> = {
  pow: Math.pow,
  atan2: Math.atan2,
  fmin: (a, b) => (Number.isNaN(a) ? b : Number.isNaN(b) ? a : Math.min(a, b)),
  fmax: (a, b) => (Number.isNaN(a) ? b : Number.isNaN(b) ? a : Math.max(a, b)),
  fmod: (a, b) => a % b,
  hypot: Math.hypot,
  copysign: (a, b) => (Math.sign(b) < 0 || Object.is(b, -0) ? -Math.abs(a) : Math.abs(a)),
  drem: (a, b) => a - b * roundEven(a / b),
  ldexp: (a, b) => scale(a, b),
  scalb: (a, b) => scale(a, b),
  scalbln: (a, b) => scale(a, b),
  nextafter: nextAfter,
  nexttoward: nextAfter,
};

/** Builtins of C's mathematics, and those that ask what kind a number is. */
export const mathNatives: Natives = {
  ...Object.fromEntries(Object.entries(functions).map(([name, compute]) => [`${name}/0`, one(compute)])),
  ...Object.fromEntries(Object.entries(pairs).map(([name, compute]) => [`${name}/2`, two(compute)])),
  "fma/3": (_, [a, b, c]) => numberOf(a as JqValue) * numberOf(b as JqValue) + numberOf(c as JqValue),
  "frexp/0": (value) => split(numberOf(value)),
  "modf/0": (value) => {
    const number = numberOf(value);
    return Number.isFinite(number)
      ? [number % 1, Math.trunc(number)]
      : [Number.isNaN(number) ? number : 0, number];
  },
  "abs/0": (value) => {
    if (isNumber(value)) return absolute(value);
    // Null and booleans are less than 0, and other values greater.
    return value === null || typeof value === "boolean" ? raise(`${shown(value)} cannot be negated`) : value;
  },
  "infinite/0": () => Infinity,
  "nan/0": () => Number.NaN,
  "isinfinite/0": (value) => isNumber(value) && Math.abs(doubleOf(value)) === Infinity,
  "isnan/0": (value) => isNumber(value) && Number.isNaN(doubleOf(value)),
  "isnormal/0": (value) => isNumber(value) && isNormal(doubleOf(value)),
  "isfinite/0": (value) => isNumber(value) && Math.abs(doubleOf(value)) !== Infinity,
};

const isNormal = (value: number): boolean =>
  Number.isFinite(value) && Math.abs(value) >= 2.2250738585072014e-308;

/** Halves away from zero. */
function roundAway(value: number): number {
  const whole = Math.trunc(value);
  return Math.abs(value - whole) >= 0.5 ? whole + Math.sign(value) : whole;
}

/** Halves to the even neighbour. */
function roundEven(value: number): number {
  const whole = Math.floor(value);
  const rest = value - whole;
  if (rest < 0.5) return whole;
  return rest > 0.5 || whole % 2 !== 0 ? whole + 1 : whole;
}

/** Returns a fraction of at least a half and below one, and the power of two that it was divided by. */
function split(value: number): [number, number] {
  if (value === 0 || !Number.isFinite(value)) return [value, 0];
  let exponent = Math.max(-1023, Math.floor(Math.log2(Math.abs(value))) + 1);
  let fraction = scale(value, -exponent);
  while (Math.abs(fraction) < 0.5) {
    fraction *= 2;
    exponent--;
  }
  while (Math.abs(fraction) >= 1) {
    fraction /= 2;
    exponent++;
  }
  return [fraction, exponent];
}

/** Returns `value` × 2^`exponent`, in steps that a double holds. */
function scale(value: number, exponent: number): number {
  let result = value;
  let rest = Math.max(-5000, Math.min(5000, Math.trunc(exponent)));
  for (; rest > 1000; rest -= 1000) result *= 2 ** 1000;
  for (; rest < -1000; rest += 1000) result *= 2 ** -1000;
  return result * 2 ** rest;
}

const bits = new DataView(new ArrayBuffer(8));

function nextAfter(from: number, to: number): number {
  if (Number.isNaN(from) || Number.isNaN(to)) return Number.NaN;
  if (from === to) return to;
  if (from === 0) return to > 0 ? Number.MIN_VALUE : -Number.MIN_VALUE;
  bits.setFloat64(0, from);
  bits.setBigInt64(0, bits.getBigInt64(0) + (from < to === from > 0 ? 1n : -1n));
  return bits.getFloat64(0);
}

/** Coefficients of Lanczos' approximation for g = 7. */
const lanczos = [
  0.999_999_999_999_809_9, 676.520_368_121_885_1, -1259.139_216_722_402_8, 771.323_428_777_653_1,
  -176.615_029_162_140_6, 12.507_343_278_686_905, -0.138_571_095_265_720_12, 9.984_369_578_019_572e-6,
  1.505_632_735_149_311_6e-7,
];

function lanczosSum(value: number): number {
  return lanczos.reduce(
    (sum, coefficient, at) => (at === 0 ? coefficient : sum + coefficient / (value + at)),
    0,
  );
}

/** The logarithm of the absolute value of the gamma function. */
function logGamma(value: number): number {
  if (value <= 0 && Number.isInteger(value)) return Infinity;
  // Exact where the factorial is: the approximation of 1 and 2 would not be 0.
  if (Number.isInteger(value) && value < 24) return Math.log(gamma(value));
  if (value < 0.5) return Math.log(Math.PI / Math.abs(Math.sin(Math.PI * value))) - logGamma(1 - value);
  if (!Number.isFinite(value)) return value;
  const from = value - 1;
  const base = from + 7.5;
  return 0.5 * Math.log(2 * Math.PI) + (from + 0.5) * Math.log(base) - base + Math.log(lanczosSum(from));
}

function gamma(value: number): number {
  if (value <= 0 && Number.isInteger(value)) return value === 0 ? Infinity : Number.NaN;
  if (Number.isInteger(value) && value < 24) {
    let product = 1;
    for (let factor = 2; factor < value; factor++) product *= factor;
    return product;
  }
  if (value < 0.5) return Math.PI / (Math.sin(Math.PI * value) * gamma(1 - value));
  return Math.exp(logGamma(value));
}
