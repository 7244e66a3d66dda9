const adopted = new Set<string>();

/** Adds a style sheet to the page, once. A constructed sheet needs no exception in the policy, and comes with its script. */
export function adoptSheet(text: string): void {
  if (adopted.has(text)) return;
  adopted.add(text);
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(text);
  document.adoptedStyleSheets.push(sheet);
}
