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

/** The OpenAPI documents of a configuration, and what is wrong with them. */
export interface ImportedDocuments {
  readonly reports: readonly OpenApiReport[];
  readonly hasResources: boolean;
  readonly mistakes: readonly Mistake[];
  /** Adds their tools and resources, and says what could not be added. */
  register(target: DocumentTarget): Mistake[];
  close(): void;
}

/** Where tools and resources of documents go. */
export interface DocumentTarget {
  readonly tools: ToolRegistry;
  readonly resources: ResourcesManager;
}

/** One of them, and where it stands in the file. */
interface EntryAt {
  readonly path: Mistake['path'];
  readonly entry: OpenApiEntry;
}

interface ImportedEntry extends EntryAt {
  readonly imported: OpenApiImport;
}

/** Imports them all, at the same time: most of it is waiting for others. */
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
  const advice = mayHelp ? ' Or give this document a namespace.' : '';
  const more = others.length === 0 ? '' : ` And ${others.length} more.`;
  return [{ path, message: `is wrong: ${first.message}${advice}${more}` }];
}

/** All at once, which is fast; one by one if something is refused, to know what and how much. */
function registerTools(definitions: OpenApiImport['tools'], tools: ToolRegistry): ToolwrightError[] {
  if (tryTo(() => tools.registerAll(definitions)) === undefined) return [];
  return definitions.flatMap((each) => tryTo(() => tools.registerAll([each])) ?? []);
}

/** Why it is refused. */
function tryTo(add: () => unknown): ToolwrightError | undefined {
  try {
    add();
    return undefined;
  } catch (error) {
    if (!(error instanceof ToolwrightError)) throw error;
    return error;
  }
}
