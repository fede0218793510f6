import { loadDocument } from '../../../openapi/document/load-document.ts';
import { DOCUMENT_DEFAULTS } from '../../../openapi/document/parse/document-limits.ts';
import type { OpenApiOptions } from '../../../openapi/import-options.ts';
import { findBaseUrl } from '../../../openapi/mapping/base-url.ts';
import { readServers } from '../../../openapi/operations/read-servers.ts';
import { OutboundClient } from '../../../outbound/outbound-client.ts';
import type { OutboundOptions } from '../../../outbound/outbound-client.ts';
import { EXPOSURES, GROUPED_SCHEMAS, SCHEMA_PROFILES } from '../../../registry/exposure/exposure.ts';
import type { Exposure, SurfaceOptions } from '../../../registry/exposure/exposure.ts';
import type { OpenApiSource } from '../../../server/openapi-server.ts';
import { REGISTRY_DEFAULTS } from '../../../tools/compile/tool-settings.ts';
import { UsageError } from '../../terminal/command.ts';
import { inFlags } from './in-flags.ts';
import { readDocuments } from './named-documents.ts';
import type { InputUse } from './named-documents.ts';
import { readOwnOptions } from './own-options.ts';
import { findPrivateHosts } from './private-hosts.ts';
import { readTls, tlsFor } from './read-tls.ts';
import type { Settings } from './settings.ts';

/** The documents to import, and the exposure of their tools. */
export interface ImportPlan {
  readonly documents: readonly OpenApiSource[];
  readonly mode: NonNullable<OpenApiOptions['mode']>;
  readonly exposure: Exposure;
  readonly groupedSchemas: NonNullable<SurfaceOptions['groupedSchemas']>;
  readonly schemaProfile: SurfaceOptions['schemaProfile'] & string;
  readonly pinned: readonly string[];
}

/** Maximum size of an API response. It is above the default, because long responses are returned in parts. */
const MAX_RESPONSE_BYTES = 16_777_216;

/** Reads all import options. Loads a document only if it is needed to find the origin for a client certificate. */
export async function planImport(settings: Settings, input: InputUse): Promise<ImportPlan> {
  const documents = await readDocuments(settings, input);
  const shown = readShown(settings, documents.length);
  const shared = readShared(settings);
  const own = readOwnOptions(settings, documents);
  const tls = readTls(settings);
  if (tls !== undefined && documents.length > 1)
    throw new UsageError(
      'Certificates apply to one API, but there are several documents. Serve the document that needs them separately.',
    );
  const sources = documents.map((document, index): OpenApiSource => {
    const { addresses, ...options } = own[index] ?? { addresses: [] };
    return {
      document: document.source,
      ...(document.name === undefined ? {} : { namespace: document.name }),
      ...shared,
      ...options,
      outbound: readOutbound(settings, [...addresses, document.address ?? '']),
      describeFinding: (finding) => inFlags(finding, document.name),
    };
  });
  if (tls === undefined) return { ...shown, documents: sources };
  const [first] = sources as [OpenApiSource];
  const options = tlsFor(tls, await findApiOrigin(first));
  return { ...shown, documents: [options === undefined ? first : withTls(first, options)] };
}

function withTls(source: OpenApiSource, tls: NonNullable<OutboundOptions['tls']>): OpenApiSource {
  return { ...source, outbound: { ...(source.outbound as OutboundOptions), tls } };
}

function readShown(settings: Settings, documents: number): Omit<ImportPlan, 'documents'> {
  const mode = settings.choice('tools', ['all', 'dynamic', 'explicit']) ?? 'all';
  const exposure = settings.choice('exposure', EXPOSURES);
  const groupedSchemas = settings.choice('grouped-schemas', GROUPED_SCHEMAS) ?? 'full';
  const schemaProfile = settings.choice('schema-profile', SCHEMA_PROFILES) ?? 'full';
  if (mode === 'explicit' && settings.list('tool').length === 0)
    throw new UsageError('--tools explicit requires --tool. Name at least one: --tool getPet');
  if (mode === 'dynamic' && exposure !== undefined && exposure !== 'flat')
    throw new UsageError(`Use either --tools dynamic or --exposure ${exposure}, not both.`);
  if (mode === 'dynamic' && documents > 1)
    throw new UsageError('--tools dynamic supports one document. For several, use --exposure search.');
  const pinned = settings.list('pin');
  const isTrial = settings.isOn('dry-run');
  if (pinned.length > 0 && exposure !== 'search' && exposure !== 'auto')
    throw new UsageError(
      '--pin requires --exposure search or --exposure auto: other exposures list all tools.',
    );
  if (groupedSchemas === 'brief' && !isTrial && exposure !== 'grouped' && exposure !== 'auto')
    throw new UsageError(
      '--grouped-schemas brief requires --exposure grouped or --exposure auto: other exposures list no groups.',
    );
  return { mode, exposure: exposure ?? 'flat', groupedSchemas, schemaProfile, pinned };
}

/** Reads the options that apply to all documents. */
function readShared(settings: Settings): Omit<OpenApiOptions, 'registry' | 'resources'> {
  const roots = settings.list('ref-root');
  const origins = settings.list('ref-origin');
  const maxResponseChars = settings.count('max-response-chars');
  if (maxResponseChars === 0) throw new UsageError('--max-response-chars must be at least 1; received "0".');
  return {
    ...readFilters(settings),
    ...readTimeout(settings),
    ...readLimits(settings),
    ...(roots.length + origins.length === 0
      ? {}
      : {
          references: { ...(roots.length > 0 ? { roots } : {}), ...(origins.length > 0 ? { origins } : {}) },
        }),
    abbreviate: readAbbreviation(settings),
    ...(settings.isOn('output-schemas') ? { outputSchemas: true } : {}),
    ...(settings.isOn('strip-html') ? { stripHtml: true } : {}),
    ...(settings.isOn('no-redirects') ? { redirects: false } : {}),
    ...(settings.isOn('no-slashes') ? { allowSlashes: false } : {}),
    validate: settings.choice('validate', ['strict', 'lenient']) ?? 'strict',
    ...(maxResponseChars === undefined ? {} : { maxResponseChars }),
    cwd: settings.call.terminal.cwd,
  };
}

/** Reads the document size limit, and scales the limit of values in proportion. */
function readLimits(settings: Settings): Pick<OpenApiOptions, 'limits'> {
  const maxDocumentBytes = settings.count('max-document-bytes');
  if (maxDocumentBytes === undefined) return {};
  if (maxDocumentBytes === 0) throw new UsageError('--max-document-bytes must be at least 1; received "0".');
  const { maxDocumentBytes: usual, maxTotalBytes, maxDocumentNodes } = DOCUMENT_DEFAULTS;
  const share = Math.max(1, maxDocumentBytes / usual);
  return {
    limits: {
      maxDocumentBytes,
      maxTotalBytes: Math.max(maxTotalBytes, maxDocumentBytes),
      maxDocumentNodes: Math.ceil(share * maxDocumentNodes),
    },
  };
}

const FILTERS = {
  tool: 'includeTools',
  tag: 'includeTags',
  resource: 'includeResources',
  operation: 'includeOperations',
  method: 'includeMethods',
  'exclude-tag': 'excludeTags',
  'exclude-tool': 'excludeTools',
  'exclude-path': 'excludePaths',
} as const satisfies Record<string, keyof OpenApiOptions>;

function readFilters(settings: Settings): OpenApiOptions {
  const said = Object.entries(FILTERS).map(([flag, option]) => {
    const entries = settings.list(flag);
    // Methods may be separated by commas, which no method contains.
    if (flag !== 'method') return [option, entries] as const;
    const methods = entries.flatMap((entry) => entry.split(',')).map((method) => method.trim());
    return [option, methods.filter((method) => method !== '')] as const;
  });
  return Object.fromEntries(said.filter(([, entries]) => entries.length > 0));
}

function readAbbreviation(settings: Settings): NonNullable<OpenApiOptions['abbreviate']> {
  const said = settings.choice('abbreviate', ['off', 'long', 'always']) ?? 'off';
  const isDisabled = settings.isOn('disable-abbreviation');
  // A flag wins over a variable; two flags contradict each other.
  if (said !== 'off' && isDisabled && settings.call.flags['disable-abbreviation'] === true)
    throw new UsageError(`Use either --disable-abbreviation or --abbreviate ${said}, not both.`);
  return said;
}

/** Time that a call may take in addition to its request. */
const CALL_MS = 10_000;

/** Extends the timeout of calls if that of requests is longer. */
function readTimeout(settings: Settings): Pick<OpenApiOptions, 'override'> {
  const ms = settings.duration('timeout');
  const { timeoutMs: usual, maxTimeoutMs: most } = REGISTRY_DEFAULTS;
  if (ms === undefined || ms + CALL_MS <= usual) return {};
  if (ms > most - CALL_MS)
    throw new UsageError(`--timeout must be at most ${most - CALL_MS} (milliseconds); received "${ms}".`);
  return { override: () => ({ timeoutMs: ms + CALL_MS }) };
}

function readOutbound(settings: Settings, addresses: readonly string[]): OutboundOptions {
  const timeoutMs = settings.duration('timeout');
  const word = settings.list('allow-private').find((entry) => /^(?:true|false|yes|no|all|\*)$/i.test(entry));
  if (word !== undefined)
    throw new UsageError(
      `--allow-private must be a host, an address or a range, such as localhost; received "${word}".`,
    );
  return {
    allowPrivate: [
      ...settings.list('allow-private'),
      ...findPrivateHosts([...addresses, ...settings.list('ref-origin')]),
    ],
    maxResponseBytes: MAX_RESPONSE_BYTES,
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  };
}

/** The origin to which the client certificate is sent: that of the base URL, or else of the server in the document. */
async function findApiOrigin(source: OpenApiSource): Promise<string> {
  const { baseUrl, serverVariables = {}, documentHeaders, references, overlays, limits, cwd } = source;
  if (baseUrl !== undefined) return new URL(baseUrl).origin;
  const client = new OutboundClient(source.outbound as OutboundOptions);
  try {
    const document = await loadDocument(source.document, {
      client,
      ...(documentHeaders === undefined ? {} : { headers: documentHeaders }),
      ...(references === undefined ? {} : { references }),
      ...(overlays === undefined ? {} : { overlays }),
      ...(limits === undefined ? {} : { limits }),
      ...(cwd === undefined ? {} : { cwd }),
    });
    const servers = readServers({ operation: {}, item: {}, document });
    const found = findBaseUrl({ servers }, { baseUrl, serverVariables, documentUri: document.uri });
    if ('url' in found) return new URL(found.url).origin;
    const { problem, finding } = found;
    const why = finding === undefined ? problem : inFlags(finding);
    throw new UsageError(`The origin for the client certificate is unknown. ${why}`);
  } finally {
    client.close();
  }
}
