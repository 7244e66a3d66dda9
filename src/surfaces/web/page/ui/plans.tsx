import type { JSX } from "preact";

/** What a free account does not have, and whom to ask for it. */
export const FreePlan = ({ what }: { what: string }): JSX.Element => (
  <section aria-labelledby="plans">
    <h2 id="plans">{what} are part of the plans pro and team</h2>
    <div class="scroll" role="region" aria-label="Plans" tabIndex={0}>
      <table>
        <caption class="unseen">Plans</caption>
        <thead>
          <tr>
            <th scope="col">Plan</th>
            <th scope="col" class="number">
              Requests an hour
            </th>
            <th scope="col">Keys</th>
          </tr>
        </thead>
        <tbody>
          <tr>
            <th scope="row">Free (this account)</th>
            <td class="number">100 for each address</td>
            <td>none</td>
          </tr>
          <tr>
            <th scope="row">Pro</th>
            <td class="number">1,000</td>
            <td>any number</td>
          </tr>
          <tr>
            <th scope="row">Team</th>
            <td class="number">10,000 or more</td>
            <td>any number</td>
          </tr>
        </tbody>
      </table>
    </div>
    <p>
      The operator of this server changes the plan of an account; ask whoever gave you the code to sign in.
    </p>
  </section>
);
