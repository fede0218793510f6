/** What changed in a registry. */
export interface RegistryChange {
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

/** Called after a change. What it throws is logged; the change has happened. */
export type ChangeListener = (change: RegistryChange) => void;
