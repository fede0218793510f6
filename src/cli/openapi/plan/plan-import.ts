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

/** What is imported, and how it is shown. */
export interface ImportPlan {
  readonly documents: readonly OpenApiSource[];
  readonly mode: NonNullable<OpenApiOptions['mode']>;
  readonly exposure: Exposure;
  readonly groupedSchemas: NonNullable<SurfaceOptions['groupedSchemas']>;
  readonly schemaProfile: SurfaceOptions['schemaProfile'] & string;
  readonly pinned: readonly string[];
}

/** Answers are cut and shown bit by bit, so more of them may arrive than clients of other kinds take. */
const MAX_RESPONSE_BYTES = 16_777_216;

/** Everything that a command line says about an import. Nothing is loaded, except a document that has to say where certificates go. */
export async function planImport(settings: Settings, input: InputUse): Promise<ImportPlan> {
  const documents = await readDocuments(settings, input);
  const shown = readShown(settings, documents.length);
  const shared = readShared(settings);
  const own = readOwnOptions(settings, documents);
  const tls = readTls(settings);
  if (tls !== undefined && documents.length > 1)
    throw new UsageError(
      'Certificates are for one API, and there are several documents. Serve the one that needs them by itself.',
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
    throw new UsageError('--tools explicit serves what --tool names. Name at least one: --tool getPet');
  if (mode === 'dynamic' && exposure !== undefined && exposure !== 'flat')
    throw new UsageError(`--tools dynamic and --exposure ${exposure} say two things. Leave one of them out.`);
  if (mode === 'dynamic' && documents > 1)
    throw new UsageError('--tools dynamic is for one document. For several there is --exposure search.');
  const pinned = settings.list('pin');
  const isTrial = settings.isOn('dry-run');
  if (pinned.length > 0 && exposure !== 'search' && exposure !== 'auto')
    throw new UsageError('--pin is for --exposure search and --exposure auto: others list all tools.');
  if (groupedSchemas === 'brief' && !isTrial && exposure !== 'grouped' && exposure !== 'auto')
    throw new UsageError(
      '--grouped-schemas brief is for --exposure grouped and --exposure auto: others list no groups.',
    );
  return { mode, exposure: exposure ?? 'flat', groupedSchemas, schemaProfile, pinned };
}

/** What is said once, for all documents. */
function readShared(settings: Settings): Omit<OpenApiOptions, 'registry' | 'resources'> {
  const roots = settings.list('ref-root');
  const origins = settings.list('ref-origin');
  const maxResponseChars = settings.count('max-response-chars');
  if (maxResponseChars === 0)
    throw new UsageError('--max-response-chars takes a number from 1 on; it got "0".');
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

/** A document that may be larger may also have more values: as many for each byte as by default. */
function readLimits(settings: Settings): Pick<OpenApiOptions, 'limits'> {
  const maxDocumentBytes = settings.count('max-document-bytes');
  if (maxDocumentBytes === undefined) return {};
  if (maxDocumentBytes === 0)
    throw new UsageError('--max-document-bytes takes a number from 1 on; it got "0".');
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
    // No method has a comma.
    if (flag !== 'method') return [option, entries] as const;
    const methods = entries.flatMap((entry) => entry.split(',')).map((method) => method.trim());
    return [option, methods.filter((method) => method !== '')] as const;
  });
  return Object.fromEntries(said.filter(([, entries]) => entries.length > 0));
}

function readAbbreviation(settings: Settings): NonNullable<OpenApiOptions['abbreviate']> {
  const said = settings.choice('abbreviate', ['off', 'long', 'always']) ?? 'off';
  const isDisabled = settings.isOn('disable-abbreviation');
  // Of a flag and a variable the flag wins; two flags are a contradiction.
  if (said !== 'off' && isDisabled && settings.call.flags['disable-abbreviation'] === true)
    throw new UsageError(`--disable-abbreviation and --abbreviate ${said}: which of them?`);
  return said;
}

/** Beyond the request itself a call has some time of its own. */
const CALL_MS = 10_000;

/** A request may take as long as it was told, and so may the call that waits for it. */
function readTimeout(settings: Settings): Pick<OpenApiOptions, 'override'> {
  const ms = settings.duration('timeout');
  const { timeoutMs: usual, maxTimeoutMs: most } = REGISTRY_DEFAULTS;
  if (ms === undefined || ms + CALL_MS <= usual) return {};
  if (ms > most - CALL_MS)
    throw new UsageError(`--timeout takes up to ${most - CALL_MS} ms; it got "${ms}".`);
  return { override: () => ({ timeoutMs: ms + CALL_MS }) };
}

function readOutbound(settings: Settings, addresses: readonly string[]): OutboundOptions {
  const timeoutMs = settings.duration('timeout');
  const word = settings.list('allow-private').find((entry) => /^(?:true|false|yes|no|all|\*)$/i.test(entry));
  if (word !== undefined)
    throw new UsageError(
      `--allow-private takes a host, an address or a range, such as localhost; it got "${word}".`,
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

/** Where a certificate goes: to the API, as the command line or else the document says. */
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
    throw new UsageError(`It is not known whom the certificate is for. ${why}`);
  } finally {
    client.close();
  }
}
