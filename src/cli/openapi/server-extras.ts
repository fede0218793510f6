import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildServer } from '../../config/build-server.ts';
import { ConfigError } from '../../config/file/config-error.ts';
import { CONFIG_RULES } from '../../config/schema/config-schema.ts';
import { EnvUses } from '../../config/file/env-uses.ts';
import { checkSmall } from '../../config/file/small-schema.ts';
import type { Mistake } from '../../config/file/small-schema.ts';
import { soundPartOf } from '../../config/file/sound-config.ts';
import { toLimits } from '../../openapi/document/parse/document-limits.ts';
import { ownHeadersOf, readSource } from '../../openapi/document/read-source.ts';
import { OutboundClient } from '../../outbound/outbound-client.ts';
import type { PromptsManager } from '../../prompts/prompts-manager.ts';
import type { ResourcesManager } from '../../resources/resources-manager.ts';
import type { ToolwrightServer } from '../../server/create-server.ts';
import { UsageError } from '../terminal/command.ts';
import { sourceAt } from './plan/named-documents.ts';
import { findPrivateHosts } from './plan/private-hosts.ts';
import type { Settings } from './plan/settings.ts';

type Kind = 'prompts' | 'resources';

/** Prompts and resources that are served in addition to the tools. */
export interface ServerExtras {
  readonly prompts?: PromptsManager;
  readonly resources?: ResourcesManager;
}

/** Reads the lists of prompts and resources. Their entries have the format of a configuration. */
export async function readExtras(settings: Settings): Promise<ServerExtras> {
  const prompts = (await readList('prompts', settings))?.prompts;
  const resources = (await readList('resources', settings))?.resources;
  return {
    ...(prompts === undefined ? {} : { prompts }),
    ...(resources === undefined ? {} : { resources }),
  };
}

async function readList(kind: Kind, settings: Settings): Promise<ToolwrightServer | undefined> {
  const found = findList(kind, settings);
  if (found === undefined) return undefined;
  const { value, by, folder } = found.isInline
    ? {
        value: await parse({ text: found.value }, found.by, settings),
        by: found.by,
        folder: settings.call.terminal.cwd,
      }
    : await readAddress(found.value, settings);
  const entries = listIn(value, kind);
  if (entries === undefined) throw toError(by, [{ path: [], message: `must be an array of ${kind}` }]);
  if (folder === undefined) assertPlain(entries, kind, by);
  const checked = checkSmall(CONFIG_RULES, { name: 'openapi', [kind]: entries });
  if (checked.mistakes.length > 0) throw toError(by, checked.mistakes);
  const built = await buildServer(soundPartOf(checked.value, []), {
    file: join(folder ?? settings.call.terminal.cwd, kind),
    uses: new EnvUses(),
    onFile: () => {},
  });
  // Only its prompts and resources are used, in another server.
  await built.close();
  if (built.mistakes.length > 0) throw toError(by, built.mistakes);
  return built.server;
}

interface FoundList {
  readonly value: string;
  readonly by: string;
  readonly isInline: boolean;
}

/** The list of `--prompts` or `--prompts-inline`; flags win over variables. */
function findList(kind: Kind, settings: Settings): FoundList | undefined {
  const { flags } = settings.call;
  const inline = `${kind}-inline`;
  if (flags[kind] !== undefined && flags[inline] !== undefined)
    throw new UsageError(`Use either --${kind} or --${inline}, not both.`);
  const order = flags[kind] === undefined && flags[inline] !== undefined ? [inline, kind] : [kind, inline];
  for (const flag of order) {
    const given = settings.find(flag);
    if (given !== undefined) return { ...given, isInline: flag === inline };
  }
  return undefined;
}

interface ReadList {
  readonly value: unknown;
  readonly by: string;
  /** Base folder of its paths; undefined for a fetched list, which must not have paths. */
  readonly folder: string | undefined;
}

async function readAddress(address: string, settings: Settings): Promise<ReadList> {
  const source = sourceAt(address, settings);
  const value = await parse(source, 'The list', settings);
  if (typeof source === 'string') return { value, by: source, folder: dirname(source) };
  const url = source as URL;
  if (url.protocol !== 'file:') return { value, by: `${url.host}${url.pathname}`, folder: undefined };
  const file = fileURLToPath(url);
  return { value, by: file, folder: dirname(file) };
}

async function parse(
  source: Parameters<typeof readSource>[0],
  inlineName: string,
  settings: Settings,
): Promise<unknown> {
  const address = source instanceof URL ? source.href : '';
  const client = new OutboundClient({
    allowPrivate: [...settings.list('allow-private'), ...findPrivateHosts([address])],
  });
  const { cwd } = settings.call.terminal;
  try {
    const read = await readSource(source, {
      client,
      own: ownHeadersOf(source),
      limits: toLimits(),
      cwd,
      signal: undefined,
      inlineName,
    });
    return read.value;
  } finally {
    client.close();
  }
}

/** The value itself if it is an array; otherwise its member with this name. */
function listIn(value: unknown, kind: Kind): readonly unknown[] | undefined {
  if (Array.isArray(value)) return value;
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, kind)) return undefined;
  const inside = (value as Readonly<Record<string, unknown>>)[kind];
  return Array.isArray(inside) ? inside : undefined;
}

const LOCAL = ['module', 'file', 'directory'];

/** Rejects files and modules in a fetched list: it must not access this machine. */
function assertPlain(entries: readonly unknown[], kind: Kind, by: string): void {
  const mistakes = entries.flatMap((entry, index): Mistake[] =>
    LOCAL.filter((name) => typeof entry === 'object' && entry !== null && Object.hasOwn(entry, name)).map(
      (name) => ({
        path: [kind, index, name],
        message: 'is not allowed in a list at a URL, only in a local file',
      }),
    ),
  );
  if (mistakes.length > 0) throw toError(by, mistakes);
}

function toError(by: string, mistakes: readonly Mistake[]): ConfigError {
  return new ConfigError(
    by,
    mistakes.map((mistake) => ({ ...mistake, file: by })),
  );
}
