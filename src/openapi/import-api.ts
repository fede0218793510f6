import type { Finding } from '../errors/finding.ts';
import { findNearestNames, suggest } from '../errors/nearest-names.ts';
import type { OutboundClient } from '../outbound/outbound-client.ts';
import type { JsonSchemaCompiler } from '../schema/issues/json-schema-compiler.ts';
import { compileGuardedPattern } from '../schema/expressions/pattern.ts';
import { createStaticAjvCompiler } from '../schema/ajv/static-ajv.ts';
import { systemClock } from '../base/time/clock.ts';
import type { Clock } from '../base/time/clock.ts';
import { createAuthenticator } from './auth/authenticator.ts';
import { readSecuritySchemes } from './auth/read-security-schemes.ts';
import type { LoadedDocument } from './document/load-document.ts';
import { listOf, memberOf, objectOf, textOf } from './document/parse/read-values.ts';
import type { References } from './document/references.ts';
import type { OpenApiOptions } from './import-options.ts';
import { findBaseUrl } from './mapping/base-url.ts';
import type { BaseUrlOptions } from './mapping/base-url.ts';
import type { ApiParts } from './mapping/call-operation.ts';
import type { AnswerSettings } from './mapping/operation-tool.ts';
import type { PlanOptions } from './mapping/plan-operation.ts';
import { cleanText, tidyText } from './naming/clean-text.ts';
import { cutText } from './naming/cut-text.ts';
import { OPENAPI_DEFAULTS } from './openapi-defaults.ts';
import { readServers } from './operations/read-servers.ts';
import type { ReadOperation } from './operations/read-operations.ts';
import { RemainderStore } from './response/model/remainder-store.ts';
import { SchemaConverter } from './schemas/schema-converter.ts';
import type { Direction } from './schemas/model/conversion.ts';

/** State that all operations of a document share. */
export interface Api {
  readonly parts: ApiParts;
  readonly base: BaseUrlOptions;
  /** Converts response schemas; undefined if no output schemas are advertised. */
  readonly outputs: SchemaConverter | undefined;
  readonly planOptions: PlanOptions;
  readonly answers: AnswerSettings;
  readonly compiler: () => JsonSchemaCompiler;
  /** Prefix of the URIs of resources. */
  readonly resourceRoot: string;
  readonly notes: readonly string[];
  /** Notes about options. */
  readonly findings: readonly Finding[];
}

/** Options of {@link createApi}. */
export interface ApiSource {
  readonly document: LoadedDocument;
  readonly references: References;
  readonly options: OpenApiOptions;
  readonly client: OutboundClient;
  readonly operations: readonly ReadOperation[];
}

/** Creates the state that the calls of a document's operations share. */
export function createApi(source: ApiSource): Api {
  const { document, references, options, client } = source;
  const { version, root } = document;
  const clock = options.clock ?? systemClock;
  const stripHtml = options.stripHtml === true;
  const maxDescription = options.maxArgumentDescription ?? OPENAPI_DEFAULTS.maxArgumentDescription;
  const convert = (direction: Direction): SchemaConverter =>
    new SchemaConverter({
      references,
      version,
      direction,
      isLenient: options.validate === 'lenient',
      describe: (text) => cutText(stripHtml ? cleanText(text) : tidyText(text), maxDescription),
    });
  const base = toBase(source);
  const { schemes, notes } = readSecuritySchemes(root, version, (value) => {
    const found = references.follow({ value, base: document.uri });
    return 'problem' in found ? undefined : found.value;
  });
  const authenticator = createAuthenticator({
    schemes,
    baseUrl: findApiUrl(source, base),
    options: authOptionsOf(options),
    client,
    clock,
  });
  const strangers = findStrangers(source);
  return {
    parts: {
      client,
      authenticator,
      readFile: options.readFile,
      redirects: options.redirects !== false,
    },
    base,
    outputs: options.outputSchemas === true ? convert('response') : undefined,
    planOptions: {
      converter: convert('request'),
      argumentNames: options.argumentNames ?? 'safe',
      maxDescription,
      maxSchemaChars: options.maxSchemaChars ?? OPENAPI_DEFAULTS.maxSchemaChars,
      stripHtml,
      preferred: options.preferredBodies ?? [],
      allowSlashes: options.allowSlashes !== false,
    },
    answers: toAnswers(options, clock),
    compiler: compilerOf(options),
    resourceRoot: `openapi://${slugOf(options, root)}`,
    notes: [...notes, ...findOpenOperations(source)],
    findings: strangers,
  };
}

function toAnswers(
  { maxResponseChars, maxBinaryBytes, onDrift }: OpenApiOptions,
  clock: Clock,
): AnswerSettings {
  const { maxKeptBytes: maxBytes, keptMs: ttlMs } = OPENAPI_DEFAULTS;
  return {
    maxChars: maxResponseChars ?? OPENAPI_DEFAULTS.maxResponseChars,
    maxBinaryBytes: maxBinaryBytes ?? OPENAPI_DEFAULTS.maxBinaryBytes,
    remainders: new RemainderStore({ clock, maxBytes, ttlMs }),
    clock,
    onDrift,
  };
}

/** Variables that no server declares. With a `baseUrl`, none of them is used. */
function findStrangers({ operations, options }: ApiSource): Finding[] {
  const given = Object.keys(options.serverVariables ?? {});
  if (given.length === 0) return [];
  const servers = operations.flatMap((each) => ('refused' in each ? [] : each.operation.servers));
  const known = [...new Set(servers.flatMap(({ variables }) => Object.keys(variables)))];
  return given
    .filter((name) => !known.includes(name))
    .map((name) => {
      const expected = findNearestNames(name, known);
      const message = `serverVariables: no server has a variable "${name}".${suggest(expected)}`;
      return {
        reason: 'unknown-server-variable',
        option: 'serverVariables',
        path: [name],
        expected,
        message,
      };
    });
}

/** Operations with `security: []`: some documents declare it by mistake. */
function findOpenOperations({ document, operations, options }: ApiSource): string[] {
  const asked = listOf(memberOf(document.root, 'security')).length;
  if (asked === 0 || Object.keys(options.credentials ?? {}).length === 0) return [];
  const open = operations.filter((each) => !('refused' in each) && each.operation.security?.length === 0);
  if (open.length === 0) return [];
  const count = open.length === 1 ? '1 operation declares' : `${open.length} operations declare`;
  return [`${count} security: []: no credentials are sent. If the API requires them, set headers`];
}

/** One compiler for all tools, created on the first call. */
function compilerOf({ jsonSchemaCompiler }: OpenApiOptions): () => JsonSchemaCompiler {
  let compiler = jsonSchemaCompiler;
  return () =>
    (compiler ??= createStaticAjvCompiler({ compilePattern: compileGuardedPattern, exactIntegers: true }));
}

function toBase({ options, document }: ApiSource): BaseUrlOptions {
  return {
    baseUrl: options.baseUrl,
    serverVariables: options.serverVariables ?? {},
    documentUri: document.uri,
  };
}

/** Base URL for credentials: that of the document's own server, else of its first operation. */
function findApiUrl({ document, operations }: ApiSource, base: BaseUrlOptions): string {
  const own = { servers: readServers({ operation: {}, item: {}, document }) };
  const listed = operations.flatMap((each) => ('refused' in each ? [] : [each.operation]));
  const [first] = listed;
  for (const level of [own, first]) {
    const found = level === undefined ? undefined : findBaseUrl(level, base);
    if (found !== undefined && 'url' in found) return found.url;
  }
  return NOWHERE;
}

/** Placeholder address that is never requested: without an address, every operation is rejected. */
const NOWHERE = 'http://nowhere.invalid';

function authOptionsOf({ credentials, authProvider, headers, origins }: OpenApiOptions): object {
  return {
    ...(credentials === undefined ? {} : { credentials }),
    ...(authProvider === undefined ? {} : { authProvider }),
    ...(headers === undefined ? {} : { headers }),
    ...(origins === undefined ? {} : { origins }),
  };
}

function slugOf({ namespace }: OpenApiOptions, root: LoadedDocument['root']): string {
  const title = textOf(memberOf(objectOf(memberOf(root, 'info')), 'title')) ?? 'api';
  const slug = (namespace ?? title)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
  return slug.slice(0, 60) || 'api';
}
