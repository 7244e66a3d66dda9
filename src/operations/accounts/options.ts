import type { Option } from "../command.ts";

export const limitOption: Option = {
  hint: "N",
  text: "Requests per hour for a team account, at least 10000",
  must: "a whole number of requests per hour",
};

export const revokeKeysOption: Option = {
  text: "Revoke active keys too; without it they prevent the change",
};

export const planOption = (text: string): Option => ({ hint: "pro|team|free", text });
