/** The rule for one kind of secret. */
export interface SecretRule {
  /** Stable, in kebab case. */
  id: string;
  /** A noun phrase for use in a sentence: "a GitHub token". */
  title: string;
}

/** A secret in a text. */
export interface Secret {
  rule: SecretRule;
  /** Start and end of the secret, in UTF-16 code units. */
  index: number;
  end: number;
  /** The name that the secret has in the text, if it has one: DB_PASSWORD. */
  name?: string | undefined;
  /** Set where the value is known to everybody, or may be an example. */
  warning?: boolean;
}
