// The name in the header until the server has reported who is signed in. It grants nothing.

const key = "penknife.account";

/** Shows a name in the header, before its elements exist; shell.css has the rules. Empty for nobody. */
export function showAccountName(name: string): void {
  const { dataset, style } = document.documentElement;
  if (name === "") delete dataset["account"];
  else dataset["account"] = name;
  style.setProperty("--account", JSON.stringify(name));
}

export function readAccountName(): string {
  try {
    const name = localStorage.getItem(key) ?? "";
    // Other pages of this origin can write there.
    return /^[a-z\d-]{1,63}$/i.test(name) ? name : "";
  } catch {
    return "";
  }
}

export function keepAccountName(name: string): void {
  showAccountName(name);
  try {
    if (name === "") localStorage.removeItem(key);
    else localStorage.setItem(key, name);
  } catch {
    // A browser may refuse its storage.
  }
}
