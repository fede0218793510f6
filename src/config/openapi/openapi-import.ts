import { ToolwrightError } from '../../errors/errors.ts';
import type { OpenApiImport } from '../../openapi/from-openapi.ts';
import type { OpenApiOptions } from '../../openapi/import-options.ts';
import type { OperationOverride } from '../../openapi/selection/operation-override.ts';
import type { OutboundClient } from '../../outbound/outbound-client.ts';
import { GroupedToolBuilder } from '../../tools/grouped/grouped-tool-builder.ts';
import type { OpenApiEntry } from '../file/config-types.ts';
import type { EnvUses } from '../file/env-uses.ts';
import { hideEnvironment, hideInReport } from '../file/hide-environment.ts';
import { joinPieces } from '../http/http-target.ts';
import { isCode } from '../file/is-code.ts';
import { filesOf, hideInline, locateRefusal } from './openapi-refusal.ts';
import { findSettingMistakes, overridesOf } from './openapi-settings.ts';
import { findStrangers } from './openapi-strangers.ts';
import type { Mistake } from '../file/small-schema.ts';

/** Dependencies of an import. */
export interface ImportParts {
  readonly client: OutboundClient;
  /** The strings of the entry that contain environment variables. */
  readonly uses: EnvUses;
  /** Base folder of relative paths. */
  readonly folder: string;
  /** Called with each file: those of the entry before they are read, referenced files afterwards. */
  readonly onFile: (file: string) => void;
  /** Default options of documents. */
  readonly defaults: Pick<OpenApiOptions, 'groupBy'>;
  /** Reads the content of a file argument. */
  readonly readFile: NonNullable<OpenApiOptions['readFile']>;
}

/** An imported document, or undefined if the import failed; and the mistakes in its entry. */
export interface ImportedDocument {
  readonly imported: OpenApiImport | undefined;
  readonly mistakes: readonly Mistake[];
}

/** Imports an OpenAPI document of a configuration. */
export async function importDocument(given: OpenApiEntry, parts: ImportParts): Promise<ImportedDocument> {
  const { uses, folder, onFile } = parts;
  const entry = withAddresses(given, uses);
  const own = new Set(filesOf(entry, folder));
  for (const file of own) onFile(file);
  const ofSettings = isCode(entry) ? [] : findSettingMistakes(entry, uses);
  if (ofSettings.length > 0) return { imported: undefined, mistakes: ofSettings };
  const { imported, mistakes } = await read(entry, parts);
  if (imported === undefined)
    return { imported, mistakes: mistakes.map((mistake) => hideInline(mistake, entry, uses)) };
  for (const file of imported.report.files) if (!own.has(file)) onFile(file);
  return {
    imported: withoutEnvironment(imported, { entry, uses }),
    mistakes: [...mistakes, ...findStrangers(entry, imported)],
  };
}

/** Imports a document. An invalid credential or override is removed, and the import is repeated, to find all mistakes. */
async function read(
  entry: OpenApiEntry,
  { client, folder, readFile, defaults }: ImportParts,
): Promise<ImportedDocument> {
  // Loaded lazily: only configurations with documents need the importer.
  const { fromOpenAPI } = await import('../../openapi/from-openapi.ts');
  const { document, ...options } = entry;
  const mistakes: Mistake[] = [];
  const refusable = {
    credentials: new Map(Object.entries(options.credentials ?? {})),
    overrides: new Map(Object.entries(options.overrides ?? {})),
  };
  for (;;) {
    try {
      const imported = await fromOpenAPI(document, {
        outbound: client,
        cwd: folder,
        readFile,
        ...defaults,
        ...options,
        credentials: Object.fromEntries(refusable.credentials),
        overrides: Object.fromEntries(refusable.overrides),
      });
      return { imported, mistakes };
    } catch (error) {
      if (!(error instanceof ToolwrightError)) throw error;
      const mistake = locateRefusal(error, entry);
      mistakes.push(mistake);
      if (!leaveOut(refusable, mistake)) return { imported: undefined, mistakes };
    }
  }
}

interface Refusable {
  readonly credentials: Map<string, unknown>;
  readonly overrides: Map<string, OperationOverride>;
}

/** Removes an invalid credential, override, or argument of an override. Returns whether there was one. */
function leaveOut({ credentials, overrides }: Refusable, { path }: Mistake): boolean {
  const [member, name, part, argument] = path.map(String);
  if (member === 'credentials') return credentials.delete(name ?? '');
  if (member !== 'overrides' || name === undefined) return false;
  const override = overrides.get(name);
  const { [argument ?? '']: refused, ...others } = override?.arguments ?? {};
  if (part !== 'arguments' || refused === undefined) return overrides.delete(name);
  overrides.set(name, { ...override, arguments: others });
  return true;
}

/** Joins URLs from environment variables with a single slash. */
function withAddresses(entry: OpenApiEntry, uses: EnvUses): OpenApiEntry {
  const [document, baseUrl] = [uses.find(['document']), uses.find(['baseUrl'])];
  return {
    ...entry,
    ...(document === undefined ? {} : { document: joinPieces(document) }),
    ...(baseUrl === undefined ? {} : { baseUrl: joinPieces(baseUrl) }),
  };
}

function withoutEnvironment(
  imported: OpenApiImport,
  { entry, uses }: { readonly entry: OpenApiEntry; readonly uses: EnvUses },
): OpenApiImport {
  if (uses.isEmpty) return imported;
  const hiding = hideEnvironment(uses, unseenUses(entry, uses));
  return {
    ...imported,
    tools: imported.tools.map((tool) =>
      tool instanceof GroupedToolBuilder
        ? tool.use(hiding)
        : { ...tool, middleware: [hiding, ...(tool.middleware ?? [])] },
    ),
    resources: imported.resources.map((resource) => ({
      ...resource,
      middleware: [hiding, ...(resource.middleware ?? [])],
    })),
    report: hideInReport(imported.report, uses),
  };
}

/** Values that are removed even from successful responses. Credentials are removed by the import itself. */
function unseenUses(entry: OpenApiEntry, uses: EnvUses): EnvUses {
  return uses.within(overridesOf(entry).map(([path]) => [...path, 'arguments']));
}
