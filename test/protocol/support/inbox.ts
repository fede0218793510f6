/** Long enough for a busy machine; no test waits for it when it passes. */
const PATIENCE_MS = 20_000;

/** Waits for something that must happen; the error names it. */
export async function within<TValue>(promise: Promise<TValue>, what: string): Promise<TValue> {
  let timer: NodeJS.Timeout | undefined;
  const timeUp = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`waited in vain for ${what}`)), PATIENCE_MS);
  });
  try {
    return await Promise.race([promise, timeUp]);
  } finally {
    clearTimeout(timer);
  }
}

/** Items that have arrived and were not read yet, in order. */
export class Inbox<TItem> {
  readonly #items: TItem[] = [];
  readonly #waiting: { resolve: (item: TItem) => void; reject: (error: Error) => void }[] = [];
  readonly #name: string;
  readonly ended: Promise<void>;
  #end: () => void = () => {};
  #isEnded = false;

  constructor(name: string) {
    this.#name = name;
    this.ended = new Promise((resolve) => {
      this.#end = resolve;
    });
  }

  push(item: TItem): void {
    const waiting = this.#waiting.shift();
    if (waiting === undefined) this.#items.push(item);
    else waiting.resolve(item);
  }

  /** No more items will arrive. */
  end(): void {
    this.#isEnded = true;
    this.#end();
    for (const { reject } of this.#waiting.splice(0)) reject(new Error(`${this.#name} ended`));
  }

  /** Number of unread items. */
  get size(): number {
    return this.#items.length;
  }

  /** The next item, arrived or not. */
  next(): Promise<TItem> {
    const item = this.#items.shift();
    if (item !== undefined) return Promise.resolve(item);
    if (this.#isEnded) return Promise.reject(new Error(`${this.#name} ended`));
    const coming = new Promise<TItem>((resolve, reject) => this.#waiting.push({ resolve, reject }));
    return within(coming, `the next of ${this.#name}`);
  }

  /** All items until the end. */
  async rest(): Promise<TItem[]> {
    await within(this.ended, `the end of ${this.#name}`);
    return this.#items.splice(0);
  }
}
