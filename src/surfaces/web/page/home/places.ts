import { chooseColours } from "../colours-choice.ts";
import { copyText } from "../clipboard.ts";
import { signOut } from "../header.ts";
import { showKeys } from "../ui/keys.tsx";

/** Something that the finder opens or does. */
export interface Place {
  group: "Pages" | "Settings" | "Actions";
  title: string;
  summary: string;
  icon: string;
  open(): void;
}

/**
 * Returns the pages and actions of the header, so that whatever it leads to is found: the links and buttons of its menus. What a
 * menu hides is not for this person.
 */
export function placesOf(page: Document, root: URL): readonly Place[] {
  const links = [...page.querySelectorAll<HTMLAnchorElement>(".menu:popover-open a, .menu a[role=menuitem]")]
    .filter((link) => link.closest("[hidden]") === null && link.closest("#menu-tools, #menu-site") === null)
    .map(toPlace);
  const go = (path: string): void => location.assign(new URL(path, root));
  const isSignedIn = page.documentElement.dataset["account"] !== undefined;
  const pages: Place[] = [
    { title: "Home", summary: "Paste anything", icon: "search", path: "" },
    { title: "All tools", summary: "By category, with a filter", icon: "menu", path: "tools" },
    { title: "Pipelines", summary: "Run tools one after the other", icon: "pipelines", path: "pipelines" },
    {
      title: "Sign in",
      summary: isSignedIn ? "As somebody else" : "To an account of this server",
      icon: "person",
      path: "sign-in",
    },
  ].map(({ path, ...place }) => ({ ...place, group: "Pages", open: () => go(path) }));
  const actions: Place[] = [
    ...(["system", "light", "dark"] as const).map((colours): Place => ({
      group: "Actions",
      title: `Colours: ${colours === "system" ? "as the system" : colours}`,
      summary: "Theme",
      icon: colours === "light" ? "sun" : colours === "dark" ? "moon" : "system",
      open: () => chooseColours(colours),
    })),
    {
      group: "Actions",
      title: "Copy the link to this page",
      summary: "Without what is typed",
      icon: "link",
      open: () => void copyText(location.origin + location.pathname),
    },
    { group: "Actions", title: "List of keys", summary: "Keyboard shortcuts", icon: "info", open: showKeys },
    ...(isSignedIn
      ? [
          {
            group: "Actions" as const,
            title: "Sign out",
            summary: "Ends the session of this browser",
            icon: "leave",
            open: () => void signOut(root),
          },
        ]
      : []),
  ];
  const seen = new Set<string>();
  return [...pages, ...links, ...actions].filter(({ title }) => !seen.has(title) && seen.add(title));
}

function toPlace(link: HTMLAnchorElement): Place {
  const [first] = link.querySelector("span")?.childNodes ?? [];
  const hint = link.querySelector(".hint")?.textContent ?? "";
  const section = link.closest<HTMLElement>("[data-for]")?.dataset["for"];
  return {
    group: section === undefined && !link.href.includes("/settings/") ? "Pages" : "Settings",
    title: (first?.textContent ?? "").trim(),
    summary: hint || (section === "operator" ? "Operator" : section === undefined ? "" : "Settings"),
    icon: link.querySelector("use")?.getAttribute("href")?.slice(3) ?? "link",
    open: () => location.assign(link.href),
  };
}
