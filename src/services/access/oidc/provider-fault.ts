/** The reason why the provider does not sign a person in. */
export class ProviderFault extends Error {
  /**
   * `unavailable`: the provider cannot be reached or does not work; `refused`: it did not sign the person in, or its answer
   * proves nothing.
   */
  readonly kind: "unavailable" | "refused";

  /** @param reason One sentence, for the operator; without secrets. */
  constructor(kind: ProviderFault["kind"], reason: string) {
    super(reason);
    this.name = "ProviderFault";
    this.kind = kind;
  }
}
