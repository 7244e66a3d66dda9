import type { JSX } from "preact";
import { Table } from "./table.tsx";

/** Says that a free account does not have a feature, and whom to ask for it. */
export const FreePlan = ({ what }: { what: string }): JSX.Element => (
  <section aria-labelledby="plans">
    <h2 id="plans">{what} are part of the plans pro and team</h2>
    <Table
      label="Plans"
      rows={plans}
      idOf={([plan]) => plan}
      columns={[
        { title: "Plan", cell: ([plan]) => plan },
        { title: "Requests an hour", isNumber: true, cell: ([, requests]) => requests },
        { title: "Keys", cell: ([, , keys]) => keys },
      ]}
    />
    <p>
      The operator of this server changes the plan of an account; ask whoever gave you the code to sign in.
    </p>
  </section>
);

const plans = [
  ["Free (this account)", "100 for each address", "none"],
  ["Pro", "1,000", "any number"],
  ["Team", "10,000 or more", "any number"],
] as const;
