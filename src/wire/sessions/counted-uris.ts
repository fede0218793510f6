import type { MemoryAccount } from '../../base/memory/memory-budget.ts';
import { weighText } from '../../base/memory/weigh.ts';

/** Overhead of a URI in memory. */
const ENTRY_BYTES = 200;

/** URIs that a client is subscribed to. A URI that exceeds the memory is not added. */
export class CountedUris extends Set<string> {
  readonly #account: () => MemoryAccount;

  constructor(account: () => MemoryAccount) {
    super();
    this.#account = account;
  }

  override add(uri: string): this {
    return this.has(uri) || !this.#account().take(bytesOf(uri)) ? this : super.add(uri);
  }

  override delete(uri: string): boolean {
    if (!super.delete(uri)) return false;
    this.#account().give(bytesOf(uri));
    return true;
  }

  override clear(): void {
    for (const uri of Array.from(this)) this.delete(uri);
  }
}

function bytesOf(uri: string): number {
  return ENTRY_BYTES + weighText(uri);
}
