import { openColoursChoice } from "./colours-choice.ts";
import { keepAccount, readSession, type Session } from "./session.ts";
import { ask } from "./server.ts";
import { toSignIn } from "./return-link.ts";
import { addMenuKeys } from "./ui/menu-keys.ts";

/** Adds to the header what needs a script: the keys of its menus, the finder, the colours, and who is signed in. */
export function openHeader(page: Document, root: URL, find: () => void): void {
  for (const menu of page.querySelectorAll<HTMLElement>("[popover][role=menu]")) addMenuKeys(menu);
  const keys = page.querySelector("#find kbd");
  if (keys !== null && /Mac|iP/.test(navigator.platform)) keys.textContent = "⌘ K";
  for (const button of page.querySelectorAll("#find, [data-find]")) button.addEventListener("click", find);
  openColoursChoice(page);
  // The address of this page is known here only, because a proxy may have put a prefix before it.
  for (const link of page.querySelectorAll<HTMLAnchorElement>("a.sign-in, .sign-in a"))
    link.href = toSignIn(root);
  page.querySelector("#sign-out")?.addEventListener("click", () => void signOut(root));
  void showSession(page, root);
}

/** Ends the session and leaves the page, which may show what belongs to it. */
export async function signOut(root: URL): Promise<void> {
  const { value } = await ask(new URL("session", root), "DELETE");
  if (value === undefined) return location.reload();
  keepAccount(null);
  location.assign(new URL("sign-in", root));
}

/** Shows who is signed in; what the last page knew stays if the server does not answer. */
async function showSession(page: Document, root: URL): Promise<void> {
  const session = await readSession(root);
  if (session === undefined) return;
  keepAccount(session);
  if (session !== null) showAccount(page, session);
}

function showAccount(page: Document, session: Session): void {
  const name = session.account ?? "Operator";
  const button = page.querySelector<HTMLElement>("#account");
  if (button === null) return;
  button.ariaLabel = `Account ${name}`;
  const avatar = button.querySelector<HTMLElement>(".avatar");
  // A picture, and no part of the text of the button.
  if (avatar !== null) avatar.dataset["letter"] = name.slice(0, 1);
  const text = button.querySelector(".name");
  if (text !== null) text.textContent = name;
  const note = page.querySelector("#menu-account .note");
  if (note !== null) note.textContent = session.account === null ? "Operator of this server" : name;
  const hidden = session.account === null ? "settings" : "operator";
  for (const entry of page.querySelectorAll<HTMLElement>("#menu-account [data-for]"))
    entry.hidden = entry.dataset["for"] === hidden;
}
