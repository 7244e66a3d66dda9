/**
 * Puts the address that the browser uses in place of the one that the server knows, in the examples of a page: a proxy may have
 * changed scheme, host or path. `data-url` has what the server knows.
 */
export function correctExamples(page: ParentNode, root: URL): void {
  const url = root.href.replace(/\/$/, "");
  // It is copied into a shell.
  if (!/^https?:\/\/[\w.:/~[\]-]+$/.test(url)) return;
  for (const part of page.querySelectorAll<HTMLElement>("[data-url]")) {
    const known = part.dataset["url"] ?? "";
    if (known === url || known === "") continue;
    for (const code of part.querySelectorAll("code"))
      code.textContent = (code.textContent ?? "").replaceAll(`${known}/`, `${url}/`);
  }
}
