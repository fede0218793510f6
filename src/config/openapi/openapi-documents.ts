import { ToolwrightError } from '../../errors/errors.ts';
import type { OpenApiImport } from '../../openapi/from-openapi.ts';
import type { OpenApiReport } from '../../openapi/model/import-report.ts';
import type { ToolRegistry } from '../../registry/tool-registry.ts';
import type { ResourcesManager } from '../../resources/resources-manager.ts';
import type { OpenApiEntry } from '../file/config-types.ts';
import { importDocument } from './openapi-import.ts';
import type { ImportParts } from './openapi-import.ts';
import type { Mistake } from '../file/small-schema.ts';
import type { SoundConfig } from '../file/sound-config.ts';

/** The imported OpenAPI documents of a configuration, and their mistakes. */
export interface ImportedDocuments {
  readonly reports: readonly OpenApiReport[];
  readonly hasResources: boolean;
  readonly mistakes: readonly Mistake[];
  /** Registers their tools and resources, and returns the mistakes. */
  register(target: DocumentTarget): Mistake[];
  close(): void;
}

/** Registries for the tools and resources of documents. */
export interface DocumentTarget {
  readonly tools: ToolRegistry;
  readonly resources: ResourcesManager;
}

/** An entry and its path in the configuration. */
interface EntryAt {
  readonly path: Mistake['path'];
  readonly entry: OpenApiEntry;
}

interface ImportedEntry extends EntryAt {
  readonly imported: OpenApiImport;
}

/** Imports all documents concurrently. */
export async function importDocuments(
  given: SoundConfig['openapi'],
  { uses, ...parts }: ImportParts,
): Promise<ImportedDocuments> {
  const outcomes = await Promise.all(
    entriesOf(given).map(async ({ path, entry }) => {
      const { imported, mistakes } = await importDocument(entry, { ...parts, uses: uses.under(path) });
      return {
        documents: imported === undefined ? [] : [{ path, entry, imported }],
        mistakes: mistakes.map((mistake) => ({ ...mistake, path: [...path, ...mistake.path] })),
      };
    }),
  );
  const documents = outcomes.flatMap((each) => each.documents);
  return {
    reports: documents.map(({ imported }) => imported.report),
    hasResources: documents.some(({ imported }) => imported.resources.length > 0),
    mistakes: outcomes.flatMap((each) => each.mistakes),
    register: (target) => documents.flatMap((document) => register(document, target)),
    close: () => {
      for (const { imported } of documents) imported.close();
    },
  };
}

function entriesOf(given: SoundConfig['openapi'] = []): EntryAt[] {
  if (!isList(given)) return [{ path: ['openapi'], entry: given }];
  return given.flatMap((entry, index) => (entry === undefined ? [] : [{ path: ['openapi', index], entry }]));
}

function isList<TEntry>(given: TEntry | readonly TEntry[]): given is readonly TEntry[] {
  return Array.isArray(given);
}

function register({ path, entry, imported }: ImportedEntry, { tools, resources }: DocumentTarget): Mistake[] {
  const refused = [
    ...registerTools(imported.tools, tools),
    ...imported.resources.flatMap((each) => tryTo(() => resources.addResource(each)) ?? []),
  ];
  const [first, ...others] = refused;
  if (first === undefined) return [];
  const mayHelp = first.code === 'DUPLICATE_NAME' && entry.namespace === undefined;
  const advice = mayHelp ? ' Or set a namespace for this document.' : '';
  const more = others.length === 0 ? '' : ` And ${others.length} more.`;
  return [{ path, message: `is invalid: ${first.message}${advice}${more}` }];
}

/** Registers all tools at once, which is fast; one by one if that fails, to find all errors. */
function registerTools(definitions: OpenApiImport['tools'], tools: ToolRegistry): ToolwrightError[] {
  if (tryTo(() => tools.registerAll(definitions)) === undefined) return [];
  return definitions.flatMap((each) => tryTo(() => tools.registerAll([each])) ?? []);
}

/** The error of an operation; undefined if it succeeds. */
function tryTo(add: () => unknown): ToolwrightError | undefined {
  try {
    add();
    return undefined;
  } catch (error) {
    if (!(error instanceof ToolwrightError)) throw error;
    return error;
  }
}
