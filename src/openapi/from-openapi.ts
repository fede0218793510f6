import { isObject } from '../base/is-object.ts';
import { assertKnown } from '../errors/assert-known.ts';
import { DefinitionError } from '../errors/errors.ts';
import { withTexts } from '../errors/finding.ts';
import { OutboundClient } from '../outbound/outbound-client.ts';
import type { AnyResourceDefinition } from '../resources/resource-definition.ts';
import type { AnyToolDefinition } from '../tools/tool-definition.ts';
import type { GroupedToolBuilder } from '../tools/grouped/grouped-tool-builder.ts';
import { assertOptionTypes } from './assert-options.ts';
import { loadDocument } from './document/load-document.ts';
import type { DocumentSource, LoadedDocument } from './document/load-document.ts';
import { createDynamicTools } from './dynamic-tools.ts';
import { groupByTag } from './group-by-tag.ts';
import { importOperations } from './import-operations.ts';
import type { OpenApiOptions } from './import-options.ts';
import { hasHidden, removeHidden } from './naming/clean-text.ts';
import { OPENAPI_DEFAULTS } from './openapi-defaults.ts';
import type { OpenApiReport } from './model/import-report.ts';
import { createCaller } from './operation-caller.ts';
import type { OperationCallOptions, OperationResponse } from './operation-caller.ts';

/** Result of `fromOpenAPI`: tools, resources and a report. */
export interface OpenApiImport {
  /** Definitions to register in a registry or to pass to `createServer`. */
  readonly tools: readonly (AnyToolDefinition | GroupedToolBuilder)[];
  /** Resources and resource templates of route maps. */
  readonly resources: readonly AnyResourceDefinition[];
  /** Outcome of each operation. */
  readonly report: OpenApiReport;
  /**
   * Calls an operation and returns the whole response, for handlers that combine several operations. Takes the name of the tool, the
   * `operationId` or the key (`GET /pets/{id}`) of any operation of the document, and the arguments of its tool. An error status is a
   * response. Rejects with a `DefinitionError` if the arguments are invalid, and with a `CallRefusedError` if there is no response.
   *
   * @example
   * const { ok, body } = await pets.call<Pet>('getPet', { id: 7 }, { signal: context.signal, caller: context });
   */
  call<TBody = unknown>(
    operation: string,
    args?: Readonly<Record<string, unknown>>,
    options?: OperationCallOptions,
  ): Promise<OperationResponse<TBody>>;
  /** Closes idle connections to the API. */
  close(): void;
}

/**
 * Generates tools from an OpenAPI document: Swagger 2.0, OpenAPI 3.0, 3.1 or 3.2, from a file, a URL, a string or an object.
 *
 * @example
 * const petstore = await fromOpenAPI('petstore.yaml', { credentials: { api_key: process.env.PETSTORE_KEY } });
 * const server = createServer({ name: 'pets', version: '1.0.0', tools: petstore.tools });
 */
export async function fromOpenAPI(
  document: DocumentSource,
  options: OpenApiOptions = {},
): Promise<OpenApiImport> {
  if (isObject(options) && 'exposure' in options)
    throw new DefinitionError(
      'fromOpenAPI: "exposure" is a server option. Move it to the server: createServer({ tools, exposure: \u2026 }).',
      { option: 'exposure', reason: 'unknown-option', expected: IMPORT_OPTIONS },
    );
  assertKnown('fromOpenAPI', options, IMPORT_OPTIONS);
  assertOptionTypes(options);
  const { outbound } = options;
  const client =
    outbound instanceof OutboundClient
      ? outbound
      : new OutboundClient({ maxResponseBytes: OPENAPI_DEFAULTS.maxResponseBytes, ...outbound });
  const close = (): void => {
    if (client !== outbound) client.close();
  };
  try {
    const loaded = await loadDocument(document, toLoadOptions(options, client));
    const imported = importOperations(loaded, options, client);
    const arrangement = { options, loaded, report: imported.report };
    const tools = arrange(imported.tools, arrangement);
    arrangements.set(imported.report, (how) =>
      arrange(imported.tools, { ...arrangement, options: { ...options, ...how } }),
    );
    options.registry?.registerAll(tools as never);
    for (const resource of imported.resources) options.resources?.addResource(resource);
    // The caller of `call` states the type of the body.
    const call = createCaller(imported.plans) as OpenApiImport['call'];
    return { tools, resources: imported.resources, report: imported.report, call, close };
  } catch (error) {
    close();
    throw isHidingSomething(error) ? withoutHidden(error) : error;
  }
}

function withoutHidden(error: DefinitionError): DefinitionError {
  const [own] = error.option === undefined ? [] : error.findings;
  const data = own === undefined ? {} : withTexts(own, removeHidden);
  return new DefinitionError(removeHidden(error.message), { ...data, cause: error });
}

/** Whether the message quotes hidden characters of the document: messages are printed on terminals. */
function isHidingSomething(error: unknown): error is DefinitionError {
  return error instanceof DefinitionError && hasHidden(error.message);
}

interface Arrangement {
  readonly options: OpenApiOptions;
  readonly loaded: LoadedDocument;
  readonly report: OpenApiReport;
}

type Arranged = readonly (AnyToolDefinition | GroupedToolBuilder)[];
type How = Pick<OpenApiOptions, 'groupBy' | 'mode'>;

/** Rearranges the tools of an import, by its report. */
const arrangements = new WeakMap<OpenApiReport, (how: How) => Arranged>();

/**
 * The tools of an import in another arrangement, without loading its document again. Empty if the report does not
 * come from `fromOpenAPI`.
 */
export function arrangeAgain(report: OpenApiReport, how: How): Arranged {
  return arrangements.get(report)?.(how) ?? [];
}

function arrange(tools: readonly AnyToolDefinition[], { options, loaded, report }: Arrangement): Arranged {
  if (options.mode === 'dynamic') return createDynamicTools(tools, report, options.namespace);
  return options.groupBy === 'tag'
    ? groupByTag(tools, { root: loaded.root, namespace: options.namespace, report })
    : tools;
}

function toLoadOptions(options: OpenApiOptions, client: OutboundClient): Parameters<typeof loadDocument>[1] {
  const { documentHeaders, references, limits, overlays, cwd, describeFinding } = options;
  return {
    client,
    ...(documentHeaders === undefined ? {} : { headers: documentHeaders }),
    ...(references === undefined ? {} : { references }),
    ...(limits === undefined ? {} : { limits }),
    ...(overlays === undefined ? {} : { overlays }),
    ...(cwd === undefined ? {} : { cwd }),
    ...(describeFinding === undefined ? {} : { describeFinding }),
  };
}

/** Names of all options. A record, so that the compiler reports a missing one. */
export const IMPORT_OPTIONS: readonly string[] = Object.keys({
  registry: true,
  resources: true,
  baseUrl: true,
  serverVariables: true,
  namespace: true,
  maxNameLength: true,
  abbreviate: true,
  argumentNames: true,
  maxDescription: true,
  maxArgumentDescription: true,
  maxSchemaChars: true,
  stripHtml: true,
  mode: true,
  groupBy: true,
  routeMaps: true,
  overrides: true,
  override: true,
  outputSchemas: true,
  preferredBodies: true,
  allowSlashes: true,
  redirects: true,
  validate: true,
  outbound: true,
  maxResponseChars: true,
  maxBinaryBytes: true,
  onDrift: true,
  readFile: true,
  documentHeaders: true,
  references: true,
  overlays: true,
  limits: true,
  cwd: true,
  jsonSchemaCompiler: true,
  clock: true,
  describeFinding: true,
  credentials: true,
  authProvider: true,
  headers: true,
  origins: true,
  includeTools: true,
  includeTags: true,
  includeOperations: true,
  includeMethods: true,
  includeResources: true,
  excludeTags: true,
  excludeTools: true,
  excludeOperations: true,
  excludePaths: true,
  includeDeprecated: true,
  filter: true,
} satisfies Record<keyof OpenApiOptions, true>);
