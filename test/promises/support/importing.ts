import { ChildServer } from './child-server.ts';
import type { Weakness } from './weaken.ts';
import { within } from './patience.ts';
import { isLong } from './promise.ts';

/** A document, and the import options. */
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

/** The beginning of the result of a call. */
export interface Answered {
  readonly isError: boolean;
  readonly text: string;
}

/** Result of one operation. */
export interface ImportedOperation {
  readonly key: string;
  readonly outcome: string;
  readonly name?: string;
  readonly reason?: string;
  readonly notes: readonly string[];
}

/** Result of importing a document. */
export interface Imported {
  /** The reason for rejecting the whole document. */
  readonly error?: string;
  /** Whether the error is a `ToolwrightError`. */
  readonly isOurs?: boolean;
  readonly title: string;
  /** At most 200. */
  readonly operations: readonly ImportedOperation[];
  readonly notes: readonly string[];
  readonly names: readonly string[];
  /** Paths in `tools/list` with invisible characters. */
  readonly hidden: readonly string[];
  /** The same for texts about operations. */
  readonly hiddenWords: readonly string[];
  /** `tools/list` as JSON; empty if it is very long. */
  readonly list: string;
  /** CPU time until the tools were registered. */
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
    // With a defence turned off, do not wait for the full timeout.
    return new Importer(server, without.length > 0 ? (isLong ? 10_000 : 5000) : 60_000);
  }

  async import(given: ToImport): Promise<Imported> {
    const answer = this.server.hear<{ imported: Imported }>('imported');
    this.server.process.send({ options: {}, ...given });
    return (await within(answer, this.#patienceMs, 'an import that has no end')).imported;
  }

  /** Calls tools of the last import, one after the other. */
  async call(calls: readonly ToCall[]): Promise<readonly Answered[]> {
    const answer = this.server.hear<{ answers: Answered[] }>('answers');
    this.server.process.send({ calls });
    return (await within(answer, this.#patienceMs, 'calls that have no end')).answers;
  }
}
