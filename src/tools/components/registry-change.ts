/** A change of a registry. */
export interface RegistryChange {
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

/** Called after a change. Errors it throws are logged; the change has already happened. */
export type ChangeListener = (change: RegistryChange) => void;
