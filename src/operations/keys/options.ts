import type { Option } from "../command.ts";

export const expiresOption: Option = {
  hint: "WHEN",
  text: "A duration such as 90d or an instant such as 2027-01-31T00:00:00Z",
};
