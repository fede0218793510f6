import { basename, dirname, resolve } from 'node:path';
import { toLoggedError } from '../errors/log-thrown.ts';
import type { AuthOptions } from '../auth/protected-resource.ts';
import { DefinitionError, ToolwrightError } from '../errors/errors.ts';
import type { OpenApiReport } from '../openapi/model/import-report.ts';
import { OPENAPI_DEFAULTS } from '../openapi/openapi-defaults.ts';
import type { OutboundClient } from '../outbound/outbound-client.ts';
import type { AnyPromptDefinition } from '../prompts/prompt-definition.ts';
import { PromptsManager } from '../prompts/prompts-manager.ts';
import { mayGroup } from '../registry/exposure/exposure.ts';
import { surfaceOptionsOf } from '../registry/registry-options.ts';
import { ToolRegistry } from '../registry/tool-registry.ts';
import type { BuilderFor } from '../registry/registry-unit.ts';
import { directoryResources } from '../resources/files/directory-resources.ts';
import { isTextual, typeOfName } from '../resources/files/mime-types.ts';
import type { AnyResourceDefinition } from '../resources/resource-definition.ts';
import { ResourcesManager } from '../resources/resources-manager.ts';
import { ToolwrightServer } from '../server/create-server.ts';
import { ReadTurns } from '../resources/files/read-turns.ts';
import { readOwnFile } from '../server/read-own-file.ts';
import { forwardedFor } from '../transport/http/forwarded-for.ts';
import type { SessionOptions } from '../transport/http/message/http-options.ts';
import { REGISTRY_DEFAULTS, resolveSettings } from '../tools/compile/tool-settings.ts';
import type { ToolSettings } from '../tools/compile/tool-settings.ts';
import type { ToolSettingsOptions } from '../tools/compile/settings-options.ts';
import type { AnyToolDefinition } from '../tools/tool-definition.ts';
import type {
  DirectoryEntry,
  ModuleEntry,
  PromptEntryConfig,
  ResourceEntryConfig,
} from './file/config-types.ts';
import { createAuth } from './auth/create-auth.ts';
import { findPolicyMistakes } from './auth/policy-mistakes.ts';
import { createStores } from './create-stores.ts';
import type { ConfiguredStores } from './create-stores.ts';
import { createClient } from './http/create-client.ts';
import type { EnvUses } from './file/env-uses.ts';
import { toHttpTool } from './http/http-tool.ts';
import { importDocuments } from './openapi/openapi-documents.ts';
import type { ImportedDocuments } from './openapi/openapi-documents.ts';
import { importModule } from './modules/import-module.ts';
import { findPinnedMistakes } from './pinned-mistakes.ts';
import { readResourceFile } from './read-resource-file.ts';
import { descriptionOf, settingsOf } from './settings-of.ts';
import { toPrompt } from './to-prompt.ts';
import { resolveModule } from './modules/resolve-module.ts';
import type { Mistake } from './file/small-schema.ts';
import type { EntryOf, SoundConfig } from './file/sound-config.ts';

/** The origin of a configuration. */
export interface ConfigSource {
  /** The absolute path of its file; paths in it are relative to the folder of that file. */
  readonly file: string;
  readonly uses: EnvUses;
  /** Called with each other file before it is read, except modules. */
  readonly onFile: (file: string) => void;
}

/** A server, and the mistakes in its configuration. */
export interface BuiltServer {
  readonly server: ToolwrightServer;
  /** Authentication over HTTP. */
  readonly auth: AuthOptions | undefined;
  /** Shared sessions over HTTP. */
  readonly sessions: SessionOptions | undefined;
  /** Import report of each OpenAPI document. */
  readonly reports: readonly OpenApiReport[];
  readonly mistakes: readonly Mistake[];
  readonly close: () => Promise<void>;
}

/** Builds a server from the valid part of a configuration. Entries with further mistakes are left out and reported. */
export function buildServer(config: SoundConfig, source: ConfigSource): Promise<BuiltServer> {
  return new ServerBuilder(source).build(config);
}

interface ReadingCall {
  readonly context: { readonly signal: AbortSignal };
}

type Path = readonly (number | string)[];
type ToolLike = AnyToolDefinition | BuilderFor<object>;

interface ServerParts {
  readonly tools: ToolRegistry;
  readonly prompts: PromptsManager;
  readonly resources: ResourcesManager;
}

class ServerBuilder {
  readonly #source: ConfigSource;
  readonly #mistakes: Mistake[] = [];
  readonly #turns = new ReadTurns();

  constructor(source: ConfigSource) {
    this.#source = source;
  }

  async build(config: SoundConfig): Promise<BuiltServer> {
    const configFiles = { folder: dirname(this.#source.file), onFile: this.#source.onFile };
    const { client, mistakes } = await createClient(outboundOf(config), configFiles);
    this.#note(['outbound'], mistakes);
    this.#checkProxies(config.transport);
    const closers: (() => Promise<void> | void)[] = [() => client.close()];
    const close = async (): Promise<void> => {
      for (const each of closers) await each();
    };
    try {
      const stores = await createStores(config.stores, configFiles.folder);
      this.#note(['stores'], stores.mistakes);
      closers.unshift(() => stores.close());
      let resources: ResourcesManager | undefined;
      const documents = await importDocuments(config.openapi, {
        ...configFiles,
        client,
        uses: this.#source.uses,
        defaults: mayGroup(surfaceOptionsOf(config)) ? { groupBy: 'tag' } : {},
        readFile: (uri, caller) => readOwnFile(resources ?? new ResourcesManager(), uri, caller),
      });
      this.#note([], documents.mistakes);
      closers.unshift(() => documents.close());
      const { server, parts } = this.#createServer(config, documents, stores);
      resources = parts.resources;
      closers.unshift(() => server.close());
      this.#note([], documents.register(parts));
      await this.#addTools(['tools'], config.tools, { registry: parts.tools, client });
      await this.#addTools(['extraTools'], config.extraTools, { registry: parts.tools, client });
      this.#note(['pinned'], findPinnedMistakes(config.pinned, parts.tools));
      await this.#addPrompts(config.prompts, parts.prompts);
      await this.#addResources(config, parts.resources);
      this.#note(['policy'], findPolicyMistakes(config, parts.tools));
      const { auth, mistakes: authMistakes } = await createAuth(config.auth, { ...configFiles, client });
      this.#note(['auth'], authMistakes);
      const { sessions } = stores;
      return { server, auth, sessions, reports: documents.reports, mistakes: this.#mistakes, close };
    } catch (error) {
      await close();
      throw error;
    }
  }

  #createServer(
    config: SoundConfig,
    { hasResources }: ImportedDocuments,
    stores: ConfiguredStores,
  ): { readonly server: ToolwrightServer; readonly parts: ServerParts } {
    const {
      name = 'server',
      version = '0.0.0',
      openapi,
      tools,
      extraTools,
      prompts,
      requestStateKeys,
    } = config;
    const { timeoutMs: _timeout, maxResultBytes: _bytes, ...limits } = config.limits ?? {};
    const settings = this.#settings(settingsOf(name, config, stores.settings));
    const parts: ServerParts = {
      tools: new ToolRegistry(surfaceOptionsOf(config), settings),
      prompts: new PromptsManager({}, settings),
      resources: new ResourcesManager({}, settings),
    };
    const hasTools = [openapi, tools, extraTools].some((entries) => entries !== undefined);
    const served = {
      name,
      version,
      ...descriptionOf(config),
      ...stores.server,
      ...(requestStateKeys === undefined ? {} : { requestStateKeys }),
      limits,
      ...(hasTools ? { tools: parts.tools } : {}),
      ...(isEmpty(prompts) ? {} : { prompts: parts.prompts }),
      ...(hasResources || !isEmpty(config.resources) ? { resources: parts.resources } : {}),
    };
    return { server: new ToolwrightServer(served, settings), parts };
  }

  /** Validates each proxy separately, so that the mistake has its index. */
  #checkProxies(transport: SoundConfig['transport']): void {
    const proxies = transport?.type === 'http' ? (transport.clientAddress?.forwardedFor ?? []) : [];
    for (const [index, proxy] of proxies.entries())
      this.#try(['transport', 'clientAddress', 'forwardedFor', index], () => forwardedFor([proxy]));
  }

  /** Falls back to the default limits if those of the configuration are invalid, so that the entries can still be validated. */
  #settings(options: ToolSettingsOptions): ToolSettings {
    const owner = 'The configuration';
    const { policy, ...others } = options;
    const checked = this.#try(['policy'], () => resolveSettings({ ...(policy && { policy }) }, owner));
    if (checked === undefined) return this.#settings(others);
    return this.#try(['limits'], () => resolveSettings(options, owner)) ?? resolveSettings({}, owner);
  }

  async #addTools(
    list: Path,
    entries: SoundConfig['tools'] = [],
    { registry, client }: { readonly registry: ToolRegistry; readonly client: OutboundClient },
  ): Promise<void> {
    for (const [index, entry] of entries.entries()) {
      if (entry === undefined) continue;
      const path = [...list, index];
      if ('http' in entry) {
        const made = toHttpTool(entry, { client, uses: this.#source.uses.under(path) });
        if ('mistakes' in made) this.#note(path, made.mistakes);
        else this.#try(path, () => registry.registerAll([made.definition]));
      } else {
        for (const definition of await this.#definitions<ToolLike>(path, entry))
          this.#try(path, () => registry.registerAll([definition]));
      }
    }
  }

  async #addPrompts(entries: SoundConfig['prompts'] = [], prompts: PromptsManager): Promise<void> {
    for (const [index, entry] of entries.entries()) {
      if (entry === undefined) continue;
      const path = ['prompts', index];
      for (const definition of await this.#definitions<AnyPromptDefinition>(path, entry))
        this.#try(path, () => prompts.addPrompt(toPrompt(definition as PromptEntryConfig)));
    }
  }

  async #addResources(
    { resources: entries = [], limits }: SoundConfig,
    resources: ResourcesManager,
  ): Promise<void> {
    const maxBytes = limits?.maxResultBytes ?? REGISTRY_DEFAULTS.maxResultBytes;
    for (const [index, entry] of entries.entries()) {
      if (entry === undefined) continue;
      const path = ['resources', index];
      const found = await this.#definitions<Exclude<EntryOf<'resources'>, ModuleEntry>>(path, entry);
      for (const definition of found)
        this.#try(path, () => {
          for (const each of this.#toResources(definition as DirectoryEntry | ResourceEntryConfig, maxBytes))
            resources.addResource(each);
        });
    }
  }

  #toResources(entry: DirectoryEntry | ResourceEntryConfig, maxBytes: number): AnyResourceDefinition[] {
    if ('directory' in entry) {
      const { directory, ...rest } = entry;
      return directoryResources({ ...rest, root: this.#resolve(directory) });
    }
    const { file, ...rest } = entry;
    if (file === undefined) return [rest as AnyResourceDefinition];
    const path = this.#resolve(file);
    const mimeType = rest.mimeType ?? typeOfName(basename(path), {}) ?? 'text/plain';
    const contentProvider = async ({ context: { signal } }: ReadingCall): Promise<Buffer | string> => {
      const bytes = await this.#turns.run(signal, () => readResourceFile(path, { maxBytes, signal }));
      return isTextual(mimeType) ? bytes.toString('utf8') : bytes;
    };
    return [{ ...rest, mimeType, contentProvider } as AnyResourceDefinition];
  }

  #resolve(path: string): string {
    return resolve(dirname(this.#source.file), path);
  }

  /** The entry itself, or the definitions that its module exports. */
  async #definitions<TDefinition extends object>(
    path: Path,
    entry: ModuleEntry | TDefinition,
  ): Promise<readonly TDefinition[]> {
    if (!('module' in entry)) return [entry];
    try {
      const exported = await importExport(entry, this.#source.file);
      return (isIterable(exported) ? [...exported] : [exported]).map((each, index) => {
        if (typeof each === 'object' && each !== null) return each as TDefinition;
        throw new DefinitionError(`element ${index} of its export is not a definition.`);
      });
    } catch (error) {
      // Hidden before the first line is taken: a value may have several lines.
      const [reason = ''] = this.#source.uses.under(path).hide(describe(error)).split('\n');
      this.#note(path, [{ path: ['module'], message: `cannot be loaded: ${reason}` }]);
      return [];
    }
  }

  #try<TMade>(path: Path, make: () => TMade): TMade | undefined {
    try {
      return make();
    } catch (error) {
      if (!(error instanceof ToolwrightError)) throw error;
      this.#note(path, [{ path: [], message: `is invalid: ${error.message}` }]);
      return undefined;
    }
  }

  /** Records mistakes. Values of environment variables are removed, because messages may quote any input. */
  #note(path: Path, mistakes: readonly Mistake[]): void {
    const uses = this.#source.uses.under(path);
    for (const mistake of mistakes)
      this.#mistakes.push({ path: [...path, ...mistake.path], message: uses.hide(mistake.message) });
  }
}

/** Raises the response limit for OpenAPI documents, whose long responses are returned in parts. */
function outboundOf({ openapi, outbound = {} }: SoundConfig): NonNullable<SoundConfig['outbound']> {
  return openapi === undefined
    ? outbound
    : { maxResponseBytes: OPENAPI_DEFAULTS.maxResponseBytes, ...outbound };
}

function isEmpty(entries: readonly unknown[] | undefined): boolean {
  return entries === undefined || entries.length === 0;
}

/** Imports a named export of a module. */
async function importExport(
  { module, export: name = 'default' }: ModuleEntry,
  from: string,
): Promise<object> {
  const file = resolveModule(module, from);
  const loaded = await importModule(file);
  const exported = loaded[name];
  if (typeof exported === 'object' && exported !== null) return exported;
  const names = Object.keys(loaded).join(', ');
  throw new DefinitionError(
    `it exports no definitions as "${name}". Exports: ${names === '' ? 'none' : names}.`,
  );
}

function isIterable(value: object): value is Iterable<unknown> {
  return typeof (value as { [Symbol.iterator]?: unknown })[Symbol.iterator] === 'function';
}

function describe(error: unknown): string {
  return toLoggedError(error).message;
}
