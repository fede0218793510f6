import { DefinitionError, DuplicateNameError } from '../errors/errors.ts';
import { fromOpenAPI, IMPORT_OPTIONS } from '../openapi/from-openapi.ts';
import type { OpenApiImport } from '../openapi/from-openapi.ts';
import type { DocumentSource } from '../openapi/document/load-document.ts';
import type { OpenApiOptions } from '../openapi/import-options.ts';
import type { OpenApiReport } from '../openapi/model/import-report.ts';
import { SHOWN, surfaceOptionsOf } from '../registry/registry-options.ts';
import { mayGroup } from '../registry/exposure/exposure.ts';
import type { SurfaceOptions } from '../registry/exposure/exposure.ts';
import { ToolRegistry } from '../registry/tool-registry.ts';
import { ResourcesManager } from '../resources/resources-manager.ts';
import { resolveSettings } from '../tools/compile/tool-settings.ts';
import type { ToolSettings } from '../tools/compile/tool-settings.ts';
import { ToolwrightServer } from './create-server.ts';
import { readOwnFile } from './read-own-file.ts';
import { assertServerOptions, assertSettingsHold } from './read-options.ts';
import type { InferredParts, ServerOptions } from './server-options.ts';

/** One OpenAPI document of a server, with its import options. */
export interface OpenApiSource extends Omit<OpenApiOptions, 'registry' | 'resources'> {
  readonly document: DocumentSource;
}

/** Options of {@link OpenAPIServer.load}. */
export interface OpenApiServerOptions<TContext extends object = object>
  extends
    Partial<Pick<ServerOptions<TContext>, 'name' | 'version'>>,
    Omit<ServerOptions<TContext>, 'name' | 'tools' | 'version'>,
    Omit<SurfaceOptions, 'policy'> {
  /** OpenAPI document. Use either `document` or `documents`, not both. */
  readonly document?: DocumentSource;
  /** Import options of the document. */
  readonly openapi?: Omit<OpenApiOptions, 'registry' | 'resources'>;
  /** Several documents, each with its own base URL and credentials. Give each a `namespace`. */
  readonly documents?: readonly OpenApiSource[];
}

/** {@link OpenApiServerOptions} as `load` takes them: entries of an array literal are typed as in `createServer`. */
interface InferredOpenApiOptions<TContext extends object, TExtraTools, TPrompts, TTemplates>
  extends
    Omit<OpenApiServerOptions<TContext>, 'extraTools' | 'prompts' | 'resources'>,
    InferredParts<TContext, TExtraTools, TPrompts, TTemplates> {}

const OWN = [
  'document',
  'documents',
  'openapi',
  ...SHOWN,
] as const satisfies readonly (keyof OpenApiServerOptions)[];

/**
 * A server for the operations of OpenAPI documents, and for your own tools, prompts and resources. Operations are listed first; their names
 * cannot be used again.
 *
 * @example
 * const server = await OpenAPIServer.load({ document: 'petstore.yaml', extraTools: [convertPrice] });
 * server.registerTool({ name: 'add', description: 'Adds', inputSchema: z.object({ a: z.number() }), handler: ({ input }) => input.a });
 * await serveStdio(server);
 */
export class OpenAPIServer<TContext extends object = object> extends ToolwrightServer<TContext> {
  /** Import report of each document. */
  readonly reports: readonly OpenApiReport[];
  readonly #imports: readonly OpenApiImport[];

  private constructor(
    options: ServerOptions<TContext>,
    settings: ToolSettings,
    imports: readonly OpenApiImport[],
  ) {
    super(options, settings);
    this.#imports = imports;
    this.reports = imports.map(({ report }) => report);
  }

  /** Loads the documents and creates the server. */
  static async load<
    TContext extends object = object,
    TExtraTools = readonly unknown[],
    const TPrompts = readonly unknown[],
    const TTemplates = readonly string[],
  >(
    given: InferredOpenApiOptions<TContext, TExtraTools, TPrompts, TTemplates>,
  ): Promise<OpenAPIServer<TContext>> {
    const options = given as unknown as OpenApiServerOptions<TContext>;
    const sources = sourcesOf(options);
    const shown = surfaceOptionsOf(options);
    const rest = withoutOwn(options);
    const described = { name: 'openapi', version: '0', ...rest };
    assertServerOptions(described as unknown as ServerOptions<never>);
    assertSettingsHold(described as unknown as ServerOptions<never>, 'OpenAPIServer.load');
    const settings = resolveSettings(described, 'OpenAPIServer.load');
    const tools = new ToolRegistry<TContext>({ exposure: 'flat', ...shown }, settings);
    const resources = toResources(rest.resources, settings);
    const imports: OpenApiImport[] = [];
    // Assigned later: file parameters can refer to resources that are added to the server after loading.
    let server: OpenAPIServer<TContext> | undefined;
    try {
      for (const { document: source, ...how } of sources) {
        const importing = fromOpenAPI(source, {
          ...(mayGroup(shown) ? { groupBy: 'tag' } : {}),
          readFile: (uri, caller) => readOwnFile(server?.resources ?? resources, uri, caller),
          ...how,
          registry: tools,
          resources,
        });
        imports.push(await importing.catch((error: unknown) => rethrow(error, how.namespace, sources)));
      }
      const [first] = imports;
      const named = {
        name: rest.name ?? nameOf(first?.report),
        version: rest.version ?? (first?.report.apiVersion || '0.0.0'),
      };
      const served = { ...rest, ...named, tools, ...(resources.size > 0 ? { resources } : {}) };
      server = new OpenAPIServer<TContext>(served, settings, imports);
      return server;
    } catch (error) {
      for (const each of imports) each.close();
      throw error;
    }
  }

  override async close(): Promise<void> {
    await super.close();
    for (const each of this.#imports) each.close();
  }
}

type Options<TContext extends object> = Omit<ServerOptions<TContext>, 'name' | 'version'> &
  Partial<Pick<ServerOptions<TContext>, 'name' | 'version'>>;

/** Import options that are also server options. */
const OF_SERVERS: ReadonlySet<string> = new Set(['clock', 'jsonSchemaCompiler', 'limits', 'resources']);

/** Server options without those of the import and the exposure. */
function withoutOwn<TContext extends object>(options: OpenApiServerOptions<TContext>): Options<TContext> {
  if ('tools' in options)
    throw new DefinitionError(
      'OpenAPIServer.load: unknown option "tools". Use "extraTools" for your own tools.',
      {
        option: 'tools',
      },
    );
  const isMisplaced = ([key, value]: [string, unknown]): boolean =>
    value !== undefined && IMPORT_OPTIONS.includes(key) && !OF_SERVERS.has(key);
  const misplaced = Object.entries(options).find(isMisplaced)?.[0];
  if (misplaced !== undefined)
    throw new DefinitionError(
      `OpenAPIServer.load: "${misplaced}" is an import option. Move it to "openapi": { document, openapi: { ${misplaced}: \u2026 } }.`,
      { option: misplaced },
    );
  const own = new Set<string>(OWN);
  return Object.fromEntries(Object.entries(options).filter(([key]) => !own.has(key)));
}

/** Adds a hint about namespaces to an error about a duplicate name, if there are several documents. */
function rethrow(error: unknown, namespace: string | undefined, sources: readonly OpenApiSource[]): never {
  if (!(error instanceof DuplicateNameError) || namespace !== undefined || sources.length < 2) throw error;
  error.message += " Or give each document a namespace: { document, namespace: 'pets' }.";
  throw error;
}

type Sources = Pick<OpenApiServerOptions, 'document' | 'documents' | 'openapi'>;

function sourcesOf({ document, documents, openapi = {} }: Sources): readonly OpenApiSource[] {
  if (document !== undefined && documents !== undefined)
    throw new DefinitionError('OpenAPIServer.load: use either "document" or "documents", not both.', {
      option: 'documents',
    });
  if (document !== undefined) return [{ ...openapi, document }];
  if (!Array.isArray(documents) || documents.length === 0)
    throw new DefinitionError(
      'OpenAPIServer.load: document is required, for example { document: "petstore.yaml" }.',
      {
        option: 'document',
      },
    );
  // `openapi` applies to all documents.
  return documents.map((each: OpenApiSource) => ({ ...openapi, ...each }));
}

function nameOf(report: OpenApiReport | undefined): string {
  const slug = (report?.title ?? '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
  return slug.slice(0, 64) || 'openapi';
}

function toResources<TContext extends object>(
  given: ServerOptions<TContext>['resources'] = [],
  settings: ToolSettings,
): ResourcesManager<TContext> {
  if (given instanceof ResourcesManager) return given;
  return new ResourcesManager<TContext>({ resources: given as Iterable<never> }, settings);
}
