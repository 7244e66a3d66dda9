import { gql } from "../graph.ts";
import { checkFilter, searchFilter } from "../ui/filters.tsx";
import { showToOperator } from "../ui/frame.tsx";
import { defineList, useList } from "../ui/list.ts";
import { ListView } from "../ui/list-view.tsx";
import { Text } from "../ui/text.tsx";

/** Shows `/operator/configuration`. */
export const show = (place: Element, root: URL): void =>
  showToOperator(place, root, (page) => <ListView of={useList(page, () => options)} />);

const options = defineList({
  label: "Options",
  document: gql(`query Configuration { configuration { option value origin } }`),
  filters: {
    search: searchFilter("Search", undefined, true),
    isSet: checkFilter("Only options that were set"),
  },
  rows: ({ configuration }, { search, isSet }) => {
    const words = search.toLowerCase().split(/\s+/);
    return (configuration ?? []).filter(
      ({ option, origin }) =>
        words.every((word) => option.toLowerCase().includes(word)) && (isSet === "" || origin !== "default"),
    );
  },
  idOf: ({ option }) => option,
  columns: [
    { title: "Option", cell: ({ option }) => <code>{option}</code> },
    { title: "Value", cell: ({ value }) => <Text>{toWords(value)}</Text> },
    { title: "From", cell: ({ origin }) => <Text>{origin}</Text> },
  ],
  // It does not change while the server runs.
  isOnce: true,
});

function toWords(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? "none" : value.join(", ");
  return value === "" ? "empty" : String(value);
}
