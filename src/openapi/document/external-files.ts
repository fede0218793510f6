import { DefinitionError, ToolwrightError, withPlace } from '../../errors/errors.ts';
import { sentenceOf } from '../../errors/finding.ts';
import type { DescribeFinding, Finding } from '../../errors/finding.ts';
import type { ErrorPlace } from '../../errors/errors.ts';
import type { OutboundClient } from '../../outbound/outbound-client.ts';
import type { AllowedReferences } from './allowed-references.ts';
import type { DocumentLimits } from './parse/document-limits.ts';
import { bareUri, nameOf } from './document-uri.ts';
import { fetchDocument } from './fetch-document.ts';
import type { OwnHeaders } from './fetch-document.ts';
import { findReferences } from './find-references.ts';
import { parseDocument } from './parse/parse-document.ts';
import type { ParsedDocument } from './parse/parse-document.ts';
import { decodeText, readHandle } from './read-source.ts';

/** What the files of a document are read with. */
export interface ExternalOptions {
  readonly allowed: AllowedReferences;
  readonly limits: DocumentLimits;
  readonly client: OutboundClient | undefined;
  readonly own: OwnHeaders | undefined;
  readonly signal: AbortSignal | undefined;
  /** Writes what `missing` says of options. */
  readonly describeFinding: DescribeFinding;
}

/** The document itself, and what it has used up. */
export interface RootFile {
  readonly uri: string;
  readonly root: unknown;
  readonly bytes: number;
  readonly nodes: number;
}

/** Everything that could be read, and what could not. */
export interface ExternalFiles {
  readonly files: ReadonlyMap<string, unknown>;
  readonly missing: ReadonlyMap<string, string>;
  /** What the sentences of `missing` say of options. */
  readonly findings: readonly Finding[];
  readonly notes: readonly string[];
}

/** So many are fetched at a time. */
const AT_A_TIME = 4;

/** Reads the files that a document refers to, and those that these refer to. One that cannot be read is missing, and no more. */
export async function readExternalFiles(root: RootFile, options: ExternalOptions): Promise<ExternalFiles> {
  const reading = new Reading(root, options);
  let wanted = reading.keep(root.uri, root.root);
  while (wanted.length > 0) {
    const next: string[] = [];
    for (let index = 0; index < wanted.length; index += AT_A_TIME) {
      const batch = wanted.slice(index, index + AT_A_TIME);
      const outcomes = await Promise.all(batch.map((uri) => reading.read(uri)));
      if (options.signal?.aborted === true)
        throw new DefinitionError(`Reading ${nameOf(root.uri)} was taken back.`);
      // In the order of the references, not of the answers: what is read must not depend on who is faster.
      for (const [at, outcome] of outcomes.entries()) next.push(...reading.take(batch[at] ?? '', outcome));
    }
    wanted = next;
  }
  return reading.finish();
}

interface ReadFile extends ParsedDocument {
  readonly bytes: number;
}

/** What is read so far. */
class Reading {
  readonly #options: ExternalOptions;
  readonly #files = new Map<string, unknown>();
  readonly #missing = new Map<string, ToolwrightError>();
  readonly #notes: string[] = [];
  /** What was asked for already. */
  readonly #asked = new Set<string>();
  /** `$id` and `$self` of what was read: not addresses to fetch from. */
  readonly #names = new Set<string>();
  readonly #selves = new Map<string, unknown>();
  #bytesLeft: number;
  #nodesLeft: number;

  constructor({ bytes, nodes, uri }: RootFile, options: ExternalOptions) {
    this.#options = options;
    this.#bytesLeft = options.limits.maxTotalBytes - bytes;
    this.#nodesLeft = options.limits.maxDocumentNodes - nodes;
    this.#asked.add(uri);
  }

  /** Remembers a file, and says which others it needs. */
  keep(uri: string, root: unknown): string[] {
    this.#files.set(uri, root);
    const { references, names } = findReferences(root);
    for (const name of names) {
      if (URL.canParse(name, uri)) this.#names.add(withoutFragment(new URL(name, uri)));
    }
    const self = (root as { readonly $self?: unknown } | null)?.$self;
    if (typeof self === 'string' && URL.canParse(self, uri))
      this.#selves.set(withoutFragment(new URL(self, uri)), root);
    return references.flatMap((ref) => this.#want(ref, uri));
  }

  #want(ref: string, from: string): string[] {
    // What is not a URI is nothing to read; whoever follows it says so.
    if (!URL.canParse(ref, from)) return [];
    const target = new URL(ref, from);
    const uri = withoutFragment(target);
    if (this.#asked.has(uri) || this.#names.has(uri)) return [];
    const refusal = this.#options.allowed.refusalOf(target, from);
    if (refusal !== undefined) {
      // Another file may be allowed to refer to it.
      this.#miss(uri, refusal);
      return [];
    }
    this.#missing.delete(uri);
    this.#asked.add(uri);
    const { maxDocumentFiles } = this.#options.limits;
    if (this.#asked.size <= maxDocumentFiles) return [uri];
    this.#miss(
      uri,
      new DefinitionError(
        `${nameOf(uri)} was not read: a document has at most ${maxDocumentFiles} files (maxDocumentFiles).`,
      ),
    );
    return [];
  }

  /** An address that is not allowed says which option allows it; anything else is about the file. */
  #miss(uri: string, error: ToolwrightError): void {
    const place: ErrorPlace = {
      reason: 'unreadable-document',
      option: 'references',
      received: nameOf(uri),
      ...error.findings[0],
    };
    this.#missing.set(uri, withPlace(error, place));
  }

  async read(uri: string): Promise<ReadFile | ToolwrightError> {
    try {
      const { limits } = this.#options;
      const maxBytes = Math.min(limits.maxDocumentBytes, this.#bytesLeft);
      if (maxBytes <= 0) throw this.#outOfBytes(uri);
      const bytes = await this.#readBytes(new URL(uri), maxBytes);
      const own = { ...limits, maxDocumentNodes: Math.max(this.#nodesLeft, 1) };
      const parsed = parseDocument({ name: nameOf(uri), text: decodeText(bytes) }, own);
      return { ...parsed, bytes: bytes.length };
    } catch (error) {
      if (error instanceof ToolwrightError) return error;
      return new DefinitionError(`${nameOf(uri)} could not be read.`, { cause: error });
    }
  }

  async #readBytes(target: URL, maxBytes: number): Promise<Uint8Array> {
    const { allowed, client, own, signal } = this.#options;
    if (target.protocol !== 'file:') {
      const { mayVisit } = allowed;
      const url = new URL(bareUri(target));
      return (await fetchDocument(url, { client, own, maxBytes, mayVisit, signal })).bytes;
    }
    const file = await allowed.open(target);
    try {
      return await readHandle({ file, name: nameOf(target.href) }, maxBytes);
    } finally {
      await file.close();
    }
  }

  /** Counts what was read, and keeps it if there is room for it. */
  take(uri: string, outcome: ReadFile | ToolwrightError): string[] {
    if (outcome instanceof ToolwrightError) {
      this.#miss(uri, outcome);
      return [];
    }
    // Those that were read at the same time may be too many together.
    if (outcome.bytes > this.#bytesLeft || outcome.nodes > this.#nodesLeft) {
      this.#miss(uri, this.#outOfBytes(uri));
      return [];
    }
    this.#bytesLeft -= outcome.bytes;
    this.#nodesLeft -= outcome.nodes;
    this.#notes.push(...outcome.notes);
    return this.keep(uri, outcome.value);
  }

  #outOfBytes(uri: string): DefinitionError {
    return new DefinitionError(
      `${nameOf(uri)} was not read: with it, the files of the document would be too large together (maxTotalBytes, maxDocumentNodes).`,
    );
  }

  finish(): ExternalFiles {
    for (const [uri, root] of this.#selves) if (!this.#files.has(uri)) this.#files.set(uri, root);
    for (const name of this.#names) this.#missing.delete(name);
    const { describeFinding } = this.#options;
    return {
      files: this.#files,
      missing: new Map([...this.#missing].map(([uri, error]) => [uri, sentenceOf(error, describeFinding)])),
      findings: [...this.#missing.values()].flatMap(({ findings }) => findings.slice(0, 1)),
      notes: this.#notes,
    };
  }
}

function withoutFragment(url: URL): string {
  const bare = new URL(url);
  bare.hash = '';
  return bare.href;
}
