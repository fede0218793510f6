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
  /** Client for documents at URLs. Required for URLs only. */
  readonly client?: OutboundClient;
  /** Headers of the request for the document, such as `Authorization`; sent to the document's own origin only. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Locations that external references may be loaded from. */
  readonly references?: {
    /** Folders. Default: the folder of the document if it is a file, else none. */
    readonly roots?: readonly string[];
    /**
     * Origins, such as `https://api.example.com`. Default: the origin of the document if it is at a URL, else none.
     */
    readonly origins?: readonly string[];
  };
  readonly limits?: Partial<DocumentLimits>;
  /** OpenAPI Overlays, applied in order. */
  readonly overlays?: readonly DocumentSource[];
  /** Folder that relative paths start from. Default: `process.cwd()`. */
  readonly cwd?: string;
  readonly signal?: AbortSignal;
  /** Writes the sentences about options in `missing`. */
  readonly describeFinding?: DescribeFinding;
}

/** A document and all files that were loaded with it. It has no cycles and respects the limits. */
export interface LoadedDocument {
  readonly version: DocumentVersion;
  /** URI of the document's own file, or `inline:/document`. Without fragment and credentials. */
  readonly uri: string;
  readonly root: JsonObject;
  /** All loaded files by URI, including the document. A file with `$self` is listed under both URIs. */
  readonly files: ReadonlyMap<string, unknown>;
  /** Referenced URIs that were not loaded, with the reason: a sentence without secrets. */
  readonly missing: ReadonlyMap<string, string>;
  /** Data of the sentences about options in `missing`. */
  readonly findings: readonly Finding[];
  /** Notes about the document as a whole. */
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

/** Loads a document, applies its overlays, and loads the files that it refers to, as far as that is allowed. */
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
      // An overlay can change anything, including the version.
      return { ...detectVersion(name, applied.root), nodes: applied.nodes, notes: said };
    });
  }
  return changed;
}

/** Adds the name of the document to errors. */
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

/** Headers of the document, if the overlay is at the same origin; or the credentials in its own URL. */
function ownHeadersFor(source: DocumentSource, { own }: ReadOptions): ReadOptions['own'] {
  const written = ownHeadersOf(source);
  if (written === undefined || own?.origin !== written.origin) return written;
  return { origin: own.origin, headers: { ...own.headers, ...written.headers } };
}
