/** A change of a registry. */
export interface RegistryChange {
  /** Names of the added tools or prompts, or URIs of the added resources. */
  readonly added: readonly string[];
  /** Names of the removed tools or prompts, or URIs of the removed resources. */
  readonly removed: readonly string[];
}

/** Called after a change. Errors it throws are logged; the change has already happened. */
export type ChangeListener = (change: RegistryChange) => void;
