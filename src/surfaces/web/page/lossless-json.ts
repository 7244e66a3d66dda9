/** As JSON.parse, but numbers that JavaScript would change keep their text. @throws SyntaxError */
export function parseJson(text: string): unknown {
  return JSON.parse(text, (_key, value: unknown, context?: { source?: string }) =>
    typeof value === "number" && context?.source !== undefined && String(value) !== context.source
      ? (rawJson?.(context.source) ?? value)
      : value,
  );
}

/** Reports whether a value of `parseJson` is a number. */
export const isNumber = (value: unknown): boolean => typeof value === "number" || isRawJSON?.(value) === true;

// Browsers have these since 2025; older ones round numbers of more than 15 digits.
const { rawJSON: rawJson, isRawJSON } = JSON as {
  rawJSON?: (text: string) => unknown;
  isRawJSON?: (value: unknown) => boolean;
};
