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

/** Options of {@link readExternalFiles}. */
export interface ExternalOptions {
  readonly allowed: AllowedReferences;
  readonly limits: DocumentLimits;
  readonly client: OutboundClient | undefined;
  readonly own: OwnHeaders | undefined;
  readonly signal: AbortSignal | undefined;
  /** Writes the sentences about options in `missing`. */
  readonly describeFinding: DescribeFinding;
}

/** The document itself, and its share of the limits. */
export interface RootFile {
  readonly uri: string;
  readonly root: unknown;
  readonly bytes: number;
  readonly nodes: number;
}

/** The files that were loaded, and those that were not. */
export interface ExternalFiles {
  readonly files: ReadonlyMap<string, unknown>;
  readonly missing: ReadonlyMap<string, string>;
  /** Data of the sentences about options in `missing`. */
  readonly findings: readonly Finding[];
  readonly notes: readonly string[];
}

/** Maximum number of concurrent loads. */
const AT_A_TIME = 4;

/** Loads the files that a document refers to, transitively. A file that cannot be loaded is reported as missing. */
export async function readExternalFiles(root: RootFile, options: ExternalOptions): Promise<ExternalFiles> {
  const reading = new Reading(root, options);
  let wanted = reading.keep(root.uri, root.root);
  while (wanted.length > 0) {
    const next: string[] = [];
    for (let index = 0; index < wanted.length; index += AT_A_TIME) {
      const batch = wanted.slice(index, index + AT_A_TIME);
      const outcomes = await Promise.all(batch.map((uri) => reading.read(uri)));
      if (options.signal?.aborted === true)
        throw new DefinitionError(`Loading ${nameOf(root.uri)} was cancelled.`);
      // In the order of the references, not of the responses, so that the result does not depend on timing.
      for (const [at, outcome] of outcomes.entries()) next.push(...reading.take(batch[at] ?? '', outcome));
    }
    wanted = next;
  }
  return reading.finish();
}

interface ReadFile extends ParsedDocument {
  readonly bytes: number;
}

/** State of the loading. */
class Reading {
  readonly #options: ExternalOptions;
  readonly #files = new Map<string, unknown>();
  readonly #missing = new Map<string, ToolwrightError>();
  readonly #notes: string[] = [];
  /** URIs that were already requested. */
  readonly #asked = new Set<string>();
  /** `$id` and `$self` of loaded files: names, not URLs to fetch. */
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

  /** Stores a file, and returns the files that it refers to. */
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
    // An invalid URI is reported where the reference is resolved.
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

  /** For a URI that is not allowed, the error names the option that allows it. */
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

  /** Counts a loaded file, and keeps it if the limits allow it. */
  take(uri: string, outcome: ReadFile | ToolwrightError): string[] {
    if (outcome instanceof ToolwrightError) {
      this.#miss(uri, outcome);
      return [];
    }
    // Files that were loaded concurrently may exceed the limits together.
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
      `${nameOf(uri)} was not read: with it, the files of the document would exceed the limits (maxTotalBytes, maxDocumentNodes).`,
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
