import { DefinitionError, ToolError } from '../errors/errors.ts';
import { fromOpenAPI } from '../openapi/from-openapi.ts';
import type { OpenApiImport } from '../openapi/from-openapi.ts';
import type { DocumentSource } from '../openapi/document/load-document.ts';
import type { FileReader, OpenApiOptions } from '../openapi/import-options.ts';
import type { OpenApiReport } from '../openapi/import-report.ts';
import type { ReadFile } from '../openapi/request/request-plan.ts';
import { surfaceOptionsOf } from '../registry/registry-options.ts';
import type { SurfaceOptions } from '../registry/exposure/exposure.ts';
import { ToolRegistry } from '../registry/tool-registry.ts';
import { ResourcesManager } from '../resources/resources-manager.ts';
import { ToolwrightServer } from './create-server.ts';
import { settingsOf } from './read-options.ts';
import type { ServerOptions } from './server-options.ts';

/** One document of a server, and how it is imported. */
export interface OpenApiSource extends Omit<OpenApiOptions, 'registry' | 'resources'> {
  readonly document: DocumentSource;
}

/** Options of {@link OpenAPIServer.load}. */
export interface OpenApiServerOptions<TContext extends object = object>
  extends
    Partial<Pick<ServerOptions<TContext>, 'name' | 'version'>>,
    Omit<ServerOptions<TContext>, 'name' | 'tools' | 'version'>,
    Omit<SurfaceOptions, 'policy'> {
  /** The document. Not together with `documents`. */
  readonly document?: DocumentSource;
  /** How it is imported. */
  readonly openapi?: Omit<OpenApiOptions, 'registry' | 'resources'>;
  /** Several documents, each with its own base URL and credentials. Give each a `namespace`. */
  readonly documents?: readonly OpenApiSource[];
}

const OWN = [
  'document',
  'documents',
  'openapi',
  'exposure',
  'schemaProfile',
  'tokenBudget',
  'splitReadWrite',
  'searchTools',
] as const satisfies readonly (keyof OpenApiServerOptions)[];

/**
 * A server for the operations of OpenAPI documents, with tools, prompts and resources of your own beside them. Operations come first in
 * lists; a name that one of them has is refused for anything else.
 *
 * @example
 * const server = await OpenAPIServer.load({ document: 'petstore.yaml', extraTools: [convertPrice] });
 * server.registerTool({ name: 'add', description: 'Adds', inputSchema: z.object({ a: z.number() }), handler: ({ input }) => input.a });
 * await serveStdio(server);
 */
export class OpenAPIServer<TContext extends object = object> extends ToolwrightServer<TContext> {
  /** What became of each document. */
  readonly reports: readonly OpenApiReport[];
  readonly #imports: readonly OpenApiImport[];

  private constructor(options: ServerOptions<TContext>, imports: readonly OpenApiImport[]) {
    super(options);
    this.#imports = imports;
    this.reports = imports.map(({ report }) => report);
  }

  /** Loads the documents and makes the server. */
  static async load<TContext extends object = object>(
    options: OpenApiServerOptions<TContext>,
  ): Promise<OpenAPIServer<TContext>> {
    const sources = sourcesOf(options);
    const shown = surfaceOptionsOf(options);
    const rest = withoutOwn(options);
    const settings = settingsOf({ name: 'openapi', version: '0', ...rest });
    const tools = new ToolRegistry<TContext>({ ...settings, exposure: 'flat', ...shown });
    const resources = toManager(rest.resources, settings);
    const imports: OpenApiImport[] = [];
    try {
      for (const { document: source, ...how } of sources) {
        imports.push(
          await fromOpenAPI(source, {
            ...(shown.exposure === 'grouped' ? { groupBy: 'tag' } : {}),
            readFile: (uri, caller) => readOwn(resources, uri, caller),
            ...how,
            registry: tools,
            resources,
          }),
        );
      }
      const [first] = imports;
      const server = new OpenAPIServer<TContext>(
        {
          ...rest,
          name: rest.name ?? nameOf(first?.report),
          version: rest.version ?? (first?.report.apiVersion || '0.0.0'),
          tools,
          ...(resources.size > 0 ? { resources } : {}),
        },
        imports,
      );
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

/** The options of a server, without those that say what is served and how it is shown. */
function withoutOwn<TContext extends object>(
  options: OpenApiServerOptions<TContext>,
): Omit<ServerOptions<TContext>, 'name' | 'version'> &
  Partial<Pick<ServerOptions<TContext>, 'name' | 'version'>> {
  const own = new Set<string>(OWN);
  return Object.fromEntries(Object.entries(options).filter(([key]) => !own.has(key)));
}

type Sources = Pick<OpenApiServerOptions, 'document' | 'documents' | 'openapi'>;

function sourcesOf({ document, documents, openapi = {} }: Sources): readonly OpenApiSource[] {
  if (document !== undefined && documents !== undefined)
    throw new DefinitionError('OpenAPIServer.load takes "document" or "documents", not both.');
  if (document !== undefined) return [{ ...openapi, document }];
  if (documents === undefined || documents.length === 0)
    throw new DefinitionError('OpenAPIServer.load needs a document: { document: "petstore.yaml" }.');
  // What is said for all of them is said once.
  return documents.map((each) => ({ ...openapi, ...each }));
}

function nameOf(report: OpenApiReport | undefined): string {
  const slug = (report?.title ?? '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
  return slug.slice(0, 64) || 'openapi';
}

function toManager<TContext extends object>(
  given: ServerOptions<TContext>['resources'],
  settings: object,
): ResourcesManager<TContext> {
  if (given instanceof ResourcesManager) return given;
  return new ResourcesManager<TContext>({
    ...settings,
    ...(given === undefined ? {} : { resources: given }),
  });
}

/** A resource of this very server, as far as the caller may read it. */
async function readOwn<TContext extends object>(
  resources: ResourcesManager<TContext>,
  uri: string,
  { principal, accessToken, signal }: FileReader,
): Promise<ReadFile> {
  const reply = await resources.readResource({
    uri,
    signal,
    ...(principal === undefined ? {} : { principal }),
    ...(accessToken === undefined ? {} : { accessToken }),
  });
  const content = reply.kind === 'value' ? reply.value.contents[0] : undefined;
  if (content === undefined)
    throw new ToolError(`There is no resource ${JSON.stringify(uri)} to send as a file.`);
  const name = uri.slice(uri.lastIndexOf('/') + 1).split(/[?#]/)[0];
  const bytes =
    'blob' in content ? Buffer.from(String(content.blob), 'base64') : Buffer.from(String(content.text));
  return { bytes, mimeType: content.mimeType, name };
}
