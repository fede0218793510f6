import { ChildServer } from './child-server.ts';
import type { Weakness } from './weaken.ts';
import { within } from './patience.ts';
import { isLong } from './promise.ts';

/** A document, and what is done with it. */
export interface ToImport {
  /** A path, a URL, `{ text }`, or the document itself. */
  readonly document: string | object;
  /** Of `fromOpenAPI`. */
  readonly options?: object;
  readonly exposure?: 'flat' | 'grouped' | 'search';
}

/** A call of a tool, with its arguments as JSON. */
export interface ToCall {
  readonly name: string;
  readonly args: string;
}

/** What a call was answered with, the beginning of it. */
export interface Answered {
  readonly isError: boolean;
  readonly text: string;
}

/** What became of one operation. */
export interface ImportedOperation {
  readonly key: string;
  readonly outcome: string;
  readonly name?: string;
  readonly reason?: string;
  readonly notes: readonly string[];
}

/** What came of a document. */
export interface Imported {
  /** Why all of it was refused. */
  readonly error?: string;
  /** Whether the error is one that callers know. */
  readonly isOurs?: boolean;
  readonly title: string;
  /** The first 200. */
  readonly operations: readonly ImportedOperation[];
  readonly notes: readonly string[];
  readonly names: readonly string[];
  /** Where `tools/list` has characters that nobody sees. */
  readonly hidden: readonly string[];
  /** The same in what is said of operations. */
  readonly hiddenWords: readonly string[];
  /** What `tools/list` shows, as JSON; empty if it is very long. */
  readonly list: string;
  /** What it cost until the tools were registered. */
  readonly cpuMs: number;
  readonly ms: number;
  readonly peakBytes: number;
}

/** A process that imports documents. */
export class Importer {
  readonly server: ChildServer;
  readonly #patienceMs: number;

  private constructor(server: ChildServer, patienceMs: number) {
    this.server = server;
    this.#patienceMs = patienceMs;
  }

  static async start(without: readonly Weakness[], execArgv: readonly string[] = []): Promise<Importer> {
    const server = await ChildServer.listen('importing.mjs', { without, execArgv });
    // Where a defence is turned off, nobody waits for the end of a lifetime.
    return new Importer(server, without.length > 0 ? (isLong ? 10_000 : 5000) : 60_000);
  }

  async import(given: ToImport): Promise<Imported> {
    const answer = this.server.hear<{ imported: Imported }>('imported');
    this.server.process.send({ options: {}, ...given });
    return (await within(answer, this.#patienceMs, 'an import that has no end')).imported;
  }

  /** Calls tools of what was imported last, one after the other. */
  async call(calls: readonly ToCall[]): Promise<readonly Answered[]> {
    const answer = this.server.hear<{ answers: Answered[] }>('answers');
    this.server.process.send({ calls });
    return (await within(answer, this.#patienceMs, 'calls that have no end')).answers;
  }
}
