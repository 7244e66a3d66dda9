/** Writes suggestions as a question: "Did you mean a, b or c?"; undefined for none. */
export function toQuestion(names: readonly string[]): string | undefined {
  if (names.length === 0) return undefined;
  const list = names.length === 1 ? names[0] : `${names.slice(0, -1).join(", ")} or ${names.at(-1)}`;
  return `Did you mean ${list}?`;
}
