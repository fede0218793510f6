import { Inbox, within } from './inbox.ts';

/** Blocks the tool `wait`, and tells tests that it waits. */
export class Gate {
  /** One entry for every started call. */
  readonly started = new Inbox<string>('calls that began');
  /** One entry for every cancelled call. */
  readonly stopped = new Inbox<string>('calls that were stopped');
  readonly #opened: (() => void)[] = [];

  /** Releases all waiting calls. */
  open(): void {
    for (const go of this.#opened.splice(0)) go();
  }

  async pass(name: string, signal: AbortSignal): Promise<void> {
    const opened = new Promise<void>((resolve) => this.#opened.push(resolve));
    const stopped = new Promise<void>((resolve) => {
      signal.addEventListener('abort', () => {
        this.stopped.push(name);
        resolve();
      });
    });
    this.started.push(name);
    await within(Promise.race([opened, stopped]), `the gate to open for ${name}`);
    signal.throwIfAborted();
  }
}
