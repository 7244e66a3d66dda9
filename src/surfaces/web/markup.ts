/** A fragment of HTML. `markup` makes it, so that everything that came as text is escaped exactly once. */
export interface Markup {
  readonly html: string;
}

/** Renders a template; texts are escaped, for elements and quoted attributes alike, and fragments are not. */
export function markup(parts: TemplateStringsArray, ...values: readonly Value[]): Markup {
  return { html: String.raw({ raw: parts }, ...values.map(render)) };
}

/** An icon of page/icons.svg. */
export const icon = (name: string): Markup =>
  markup`<svg class="i" aria-hidden="true"><use href="#i-${name}"/></svg>`;

/** Takes HTML that the build made, such as the icons; never anything that came from outside. */
export const asMarkup = (html: string): Markup => ({ html });

type Value = string | number | Markup | readonly Markup[] | undefined;

function render(value: Value): string {
  if (value === undefined) return "";
  if (typeof value === "object") return "html" in value ? value.html : value.map(({ html }) => html).join("");
  return String(value).replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
