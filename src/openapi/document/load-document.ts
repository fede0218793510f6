import { withPlace } from '../../errors/errors.ts';
import { ANY, assertOptions } from '../../errors/options/rules.ts';
import type { Rule, Rules } from '../../errors/options/rules.ts';
import { libraryWords } from '../../errors/finding.ts';
import type { DescribeFinding, Finding } from '../../errors/finding.ts';
import type { OutboundClient } from '../../outbound/outbound-client.ts';
import type { JsonObject } from '../model/operation.ts';
import { AllowedReferences } from './allowed-references.ts';
import { detectVersion } from './detect-version.ts';
import type { DetectedVersion, DocumentVersion } from './detect-version.ts';
import { toLimits } from './parse/document-limits.ts';
import type { DocumentLimits } from './parse/document-limits.ts';
import { readExternalFiles } from './external-files.ts';
import { applyOverlay } from './overlay/overlay.ts';
import { nameOfSource, ownHeadersOf, readSource } from './read-source.ts';
import type { DocumentSource, ReadOptions, ReadSource } from './read-source.ts';

export type { DocumentSource } from './read-source.ts';

/** Options of {@link loadDocument}. */
export interface LoadOptions {
  /** Sends requests for documents at URLs. Needed for URLs only. */
  readonly client?: OutboundClient;
  /** Headers for fetching the document, such as `Authorization`; only ever sent to the document's own origin. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Where other files may be read from that the document refers to. */
  readonly references?: {
    /** Folders. Default: that of a document that is a file; none for others. */
    readonly roots?: readonly string[];
    /** Such as `https://api.example.com`. Default: that of a document at a URL; none for others. */
    readonly origins?: readonly string[];
  };
  readonly limits?: Partial<DocumentLimits>;
  /** OpenAPI Overlays, applied one after the other. */
  readonly overlays?: readonly DocumentSource[];
  /** The folder that relative paths start from. Default: that of the process. */
  readonly cwd?: string;
  readonly signal?: AbortSignal;
  /** Writes what `missing` says of options. */
  readonly describeFinding?: DescribeFinding;
}

/** A document, and everything that was read with it. Safe to be walked through from top to bottom. */
export interface LoadedDocument {
  readonly version: DocumentVersion;
  /** The URI of the document's own file, or `inline:/document`. No fragment, no credentials. */
  readonly uri: string;
  readonly root: JsonObject;
  /** Every file that was read, by its URI, the document itself included. One that names itself by `$self` is there under both. */
  readonly files: ReadonlyMap<string, unknown>;
  /** URIs that are referred to and were not read, and why: a sentence that names them, without secrets. */
  readonly missing: ReadonlyMap<string, string>;
  /** What the sentences of `missing` say of options. */
  readonly findings: readonly Finding[];
  /** Things to say about the document as a whole. */
  readonly notes: readonly string[];
}

const ARRAY: Rule = [Array.isArray, 'an array'];

const OPTIONS: Rules<keyof LoadOptions> = {
  client: ANY,
  headers: ANY,
  references: ANY,
  limits: ANY,
  overlays: ARRAY,
  cwd: ANY,
  signal: ANY,
  describeFinding: ANY,
};

const REFERENCES: Rules = { roots: ARRAY, origins: ARRAY };

/** Reads a document, changes it by its overlays, and reads the files that it refers to, as far as that is allowed. */
export async function loadDocument(
  source: DocumentSource,
  options: LoadOptions = {},
): Promise<LoadedDocument> {
  assertOptions('fromOpenAPI', options, OPTIONS);
  assertOptions('fromOpenAPI', options.references ?? {}, REFERENCES, 'references');
  const { client, signal, references, cwd = process.cwd(), describeFinding = libraryWords } = options;
  const limits = toLimits(options.limits);
  const own = ownHeadersOf(source, options.headers);
  const how: ReadOptions = { client, own, limits, cwd, signal, inlineName: 'The document' };
  const read = await reading(nameOfSource(source, how.inlineName), ['document'], async () => {
    const found = await readSource(source, how);
    return { ...found, detected: detectVersion(found.name, found.value) };
  });
  const changed = await applyOverlays(read, options.overlays ?? [], how);
  const allowed = await AllowedReferences.create({
    roots: references?.roots ?? (read.folder === undefined ? [] : [read.folder]),
    origins: references?.origins ?? (read.origin === undefined ? [] : [read.origin]),
    cwd,
  });
  const { version, root } = changed;
  const { uri, bytes } = read;
  const external = await readExternalFiles(
    { uri, root, bytes, nodes: changed.nodes },
    { allowed, limits, client, own, signal, describeFinding },
  );
  const { files, missing, findings } = external;
  return { version, uri, root, files, missing, findings, notes: [...changed.notes, ...external.notes] };
}

interface Changed extends DetectedVersion {
  readonly nodes: number;
}

async function applyOverlays(
  { name, nodes, notes, detected }: ReadSource & { readonly detected: DetectedVersion },
  overlays: readonly DocumentSource[],
  how: ReadOptions,
): Promise<Changed> {
  let changed: Changed = { ...detected, nodes, notes: [...notes, ...detected.notes] };
  for (const [index, source] of overlays.entries()) {
    const inlineName = overlays.length === 1 ? 'The overlay' : `Overlay ${index + 1}`;
    const own = ownHeadersFor(source, how);
    const before = changed;
    changed = await reading(nameOfSource(source, inlineName), ['overlays', index], async () => {
      const overlay = await readSource(source, { ...how, own, inlineName });
      const applied = applyOverlay(before, overlay, how.limits);
      const said = [...before.notes, ...overlay.notes, ...applied.notes];
      // An overlay can change anything, the version too.
      return { ...detectVersion(name, applied.root), nodes: applied.nodes, notes: said };
    });
  }
  return changed;
}

/** Errors say which of the given documents they are about. */
async function reading<TRead>(
  received: string,
  [option, ...path]: readonly [string, ...number[]],
  read: () => Promise<TRead>,
): Promise<TRead> {
  try {
    return await read();
  } catch (error) {
    throw withPlace(error, { reason: 'unreadable-document', option, path, received });
  }
}

/** Those of the document, if it is at the same origin; or what stands in its own URL. */
function ownHeadersFor(source: DocumentSource, { own }: ReadOptions): ReadOptions['own'] {
  const written = ownHeadersOf(source);
  if (written === undefined || own?.origin !== written.origin) return written;
  return { origin: own.origin, headers: { ...own.headers, ...written.headers } };
}
