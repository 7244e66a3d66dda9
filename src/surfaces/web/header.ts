import { shownCategories } from "../../catalog/categories.ts";
import { icon, type Markup, markup } from "./markup.ts";
import { type SectionName, sections } from "./sections.ts";

/** The values that the header of a page depends on. */
export interface HeaderParts {
  /** Relative URL of the home page. */
  root: string;
  version: string;
  /** The part of the header that the page belongs to. */
  current: Part | undefined;
  /** Whether this server has the page of GraphiQL. */
  graphiql: boolean;
}

export type Part = "home" | "tools" | "pipelines" | "api";

/** The bar above every page. Its menus are popovers, which open without script; page/header.ts adds keys and what needs a script. */
export const toHeader = (parts: HeaderParts): Markup => {
  const { root, current } = parts;
  return markup`<header class="bar">
<a class="brand" href="${root}"${current === "home" ? markup` aria-current="page"` : undefined}>${mark}<span>penknife</span></a>
<nav aria-label="Main">
${opener("tools", "Tools", current)}
<a class="button quiet" href="${root}pipelines"${markCurrent("pipelines", current)}>Pipelines</a>
${opener("api", "API", current)}
</nav>
<button type="button" class="find scripted" id="find" aria-haspopup="dialog">${icon("search")}<span class="cut">Find a tool or a page</span><kbd class="end">Ctrl K</kbd></button>
<button type="button" class="quiet only narrow-only end scripted" data-find aria-label="Find a tool or a page" aria-haspopup="dialog">${icon("search")}</button>
<button type="button" class="quiet only wide-only scripted" id="colours" popovertarget="menu-colours" aria-haspopup="menu" aria-label="Colours">${icon("sun")}</button>
<a class="button sign-in wide-only" href="${root}sign-in">Sign in</a>
<button type="button" class="quiet account" id="account" popovertarget="menu-account" aria-haspopup="menu" aria-label="Account"><span class="avatar" aria-hidden="true"></span><span class="name cut"></span>${icon("down")}</button>
<button type="button" class="quiet only narrow-only" popovertarget="menu-site" aria-haspopup="menu" aria-label="Menu">${icon("menu")}</button>
${toolsMenu(parts)}
${apiMenu(parts)}
${coloursMenu}
${accountMenu(parts)}
${siteMenu(parts)}
</header>`;
};

const mark = markup`<svg viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="8"/><g transform="rotate(-45 16 16)"><path d="M14 12.25h9c3.75.5 6.25 3.25 7 7.5H14z" fill="#b9ccfb"/><rect x="2" y="12.25" width="15" height="7.5" rx="3.75" fill="#fff"/><circle cx="13.25" cy="16" r="1.6" fill="#c98a12"/></g></svg>`;

const markCurrent = (part: Part, current: Part | undefined): Markup | undefined =>
  part === current ? markup` aria-current="page"` : undefined;

const opener = (part: Part, text: string, current: Part | undefined): Markup =>
  markup`<button type="button" class="quiet" popovertarget="menu-${part}" aria-haspopup="menu"${markCurrent(part, current)}>${text} ${icon("down")}</button>`;

const menu = (name: string, label: string, entries: readonly Markup[], kind = ""): Markup =>
  markup`<div popover id="menu-${name}" class="menu${kind}" role="menu" aria-label="${label}"><ul role="none">
${entries}</ul></div>`;

const link = (href: string, iconName: string, text: string, hint = ""): Markup =>
  markup`<li role="none"><a role="menuitem" href="${href}">${icon(iconName)}<span>${text}${hint === "" ? undefined : markup` <span class="hint">${hint}</span>`}</span></a></li>
`;

const separator = markup`<li role="separator"></li>
`;

const note = (text: string): Markup => markup`<li class="note" role="presentation">${text}</li>
`;

const toolsMenu = ({ root }: HeaderParts): Markup =>
  menu(
    "tools",
    "Tools",
    [
      ...shownCategories
        .filter(({ id }) => id !== "pipelines")
        .map(({ id, name, about }) => category(`${root}tools#${id}`, id, name, about)),
      category(`${root}tools`, "menu", "All tools", "By category, with a filter"),
    ],
    " wide",
  );

const category = (href: string, iconName: string, name: string, about: string): Markup =>
  markup`<li role="none"><a role="menuitem" href="${href}">${icon(iconName)}<span><b>${name}</b> <span class="hint">${about}</span></span></a></li>
`;

const apiMenu = ({ root, graphiql, version }: HeaderParts): Markup =>
  menu("api", "API", [
    link(`${root}api`, "format", "Reference", "every tool over HTTP"),
    ...(graphiql ? [link(`${root}graphql`, "graph", "GraphiQL", "accounts, keys, usage, tools")] : []),
    link(`${root}api#agents`, "agent", "Agents (MCP)", "connect an assistant"),
    separator,
    link(`${root}settings/keys`, "crypto", "API keys"),
    separator,
    note(`penknife ${version}`),
  ]);

const coloursMenu = menu(
  "colours",
  "Colours",
  [
    ["system", "system", "As the system"],
    ["light", "sun", "Light"],
    ["dark", "moon", "Dark"],
  ].map(
    ([value = "", name = "", text = ""]) =>
      markup`<li role="none"><button type="button" role="menuitemradio" aria-checked="false" data-colours="${value}">${icon(name)}<span>${text}</span>${icon("check")}</button></li>
`,
  ),
  " at-end",
);

/** The pages of the owner and of the operator; page/header.ts hides those that are not for the person. */
const accountMenu = (parts: HeaderParts): Markup =>
  menu(
    "account",
    "Account",
    [
      note(""),
      ...pagesOf(parts, "settings"),
      ...pagesOf(parts, "operator"),
      separator,
      markup`<li role="none"><button type="button" role="menuitem" id="sign-out">${icon("leave")}<span>Sign out</span></button></li>
`,
      separator,
      note(`penknife ${parts.version}. Licences: penknife licenses`),
    ],
    " at-end",
  );

const pagesOf = ({ root }: HeaderParts, section: SectionName): Markup[] =>
  Object.entries(sections[section].pages).map(
    ([name, { title, icon: iconName }]) =>
      markup`<li role="none" data-for="${section}"><a role="menuitem" href="${root}${section}/${name}">${icon(iconName)}<span>${title}</span></a></li>
`,
  );

/** On phones: the parts of the header that have no room. Each opens the same menu as on a wide screen. */
const siteMenu = ({ root }: HeaderParts): Markup =>
  menu(
    "site",
    "Menu",
    [
      inner("tools", "menu", "Tools"),
      link(`${root}pipelines`, "pipelines", "Pipelines"),
      inner("api", "format", "API"),
      separator,
      inner("colours", "sun", "Colours", " scripted"),
      inner("account", "person", "Account", " account"),
      markup`<li role="none" class="sign-in"><a role="menuitem" href="${root}sign-in">${icon("person")}<span>Sign in</span></a></li>
`,
    ],
    " at-end",
  );

const inner = (name: string, iconName: string, text: string, kind = ""): Markup =>
  markup`<li role="none"><button type="button" role="menuitem" class="quiet${kind}" popovertarget="menu-${name}" aria-haspopup="menu">${icon(iconName)}<span>${text}</span></button></li>
`;
