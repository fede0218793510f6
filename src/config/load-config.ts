import { createRequire } from 'node:module';
import { readFile } from 'node:fs/promises';
import { basename, extname, isAbsolute, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { DefinitionError, ToolwrightError } from '../errors/errors.ts';
import { OutboundClient } from '../outbound/outbound-client.ts';
import { compilePromptTemplate } from '../prompts/prompt-template.ts';
import type { AnyPromptDefinition } from '../prompts/prompt-definition.ts';
import { ToolRegistry } from '../registry/tool-registry.ts';
import type { BuilderFor } from '../registry/registry-unit.ts';
import { directoryResources } from '../resources/files/directory-resources.ts';
import { isTextual, typeOfName } from '../resources/files/mime-types.ts';
import type { AnyResourceDefinition } from '../resources/resource-definition.ts';
import { createServer } from '../server/create-server.ts';
import type { ToolwrightServer } from '../server/create-server.ts';
import type { AnyToolDefinition } from '../tools/tool-definition.ts';
import { ConfigError } from './config-error.ts';
import { CONFIG_SCHEMA } from './config-schema.ts';
import type {
  Config,
  DirectoryEntry,
  ModuleEntry,
  PromptEntryConfig,
  ResourceEntryConfig,
  TransportConfig,
} from './config-types.ts';
import { substituteEnv } from './env-text.ts';
import type { Env } from './env-text.ts';
import { toHttpTool } from './http-tool.ts';
import { importTypeScript, readConfigFile } from './read-config-file.ts';
import type { ReadFile } from './read-config-file.ts';
import { checkSmall } from './small-schema.ts';
import type { Mistake } from './small-schema.ts';

/** Options of {@link loadConfig}. */
export interface LoadConfigOptions {
  /** Where `${env:NAME}` is looked up. Default: `process.env`. */
  readonly env?: Env;
}

/** A server made of a configuration. */
export interface ConfiguredServer extends AsyncDisposable {
  readonly file: string;
  readonly server: ToolwrightServer;
  readonly transport: TransportConfig;
  close(): Promise<void>;
}

/**
 * Makes a server of a configuration. All mistakes are reported at once, in a {@link ConfigError}.
 *
 * @example
 * const { server, transport } = await loadConfig('toolwright.config.yaml');
 */
export async function loadConfig(file: string, options: LoadConfigOptions = {}): Promise<ConfiguredServer> {
  const read = await readConfigFile(file);
  const config = check(read, options.env ?? process.env);
  const client = new OutboundClient(config.outbound);
  try {
    const server = await new Builder(read, client).build(config);
    const close = async (): Promise<void> => {
      await server.close();
      client.close();
    };
    return {
      file: read.file,
      server,
      transport: config.transport ?? { type: 'stdio' },
      close,
      [Symbol.asyncDispose]: close,
    };
  } catch (error) {
    client.close();
    throw error;
  }
}

/** What the file says, checked, with the variables of the environment in their places. */
function check({ file, value, locate }: ReadFile, env: Env): Config {
  const { value: substituted, missing } = substituteEnv(value, env);
  const checked = checkSmall(CONFIG_SCHEMA, substituted);
  const mistakes = [...missing, ...checked.mistakes];
  if (mistakes.length > 0) throw new ConfigError(basename(file), sorted(mistakes.map(locate)));
  return checked.value as Config;
}

function sorted<TMistake extends { readonly line?: number; readonly column?: number }>(
  mistakes: readonly TMistake[],
): TMistake[] {
  return mistakes.toSorted(
    (one, other) => (one.line ?? 0) - (other.line ?? 0) || (one.column ?? 0) - (other.column ?? 0),
  );
}

type ToolLike = AnyToolDefinition | BuilderFor<object>;
type Entries<TKey extends keyof Config> = NonNullable<Config[TKey]>;

/** Puts a server together, and collects what is wrong with its parts. */
class Builder {
  readonly #read: ReadFile;
  readonly #client: OutboundClient;
  readonly #mistakes: Mistake[] = [];

  constructor(read: ReadFile, client: OutboundClient) {
    this.#read = read;
    this.#client = client;
  }

  async build(config: Config): Promise<ToolwrightServer> {
    const {
      name,
      version = '0.0.0',
      title,
      description,
      websiteUrl,
      instructions,
      exposure,
      rateLimit,
    } = config;
    const { timeoutMs, maxResultBytes, ...limits } = config.limits ?? {};
    const settings = {
      name,
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
      ...(maxResultBytes === undefined ? {} : { maxResultBytes }),
      ...(rateLimit === undefined ? {} : { rateLimit }),
    };
    const registry = new ToolRegistry({ ...settings, ...(exposure === undefined ? {} : { exposure }) });
    const server = createServer({
      name,
      version,
      ...(title === undefined ? {} : { title }),
      ...(description === undefined ? {} : { description }),
      ...(websiteUrl === undefined ? {} : { websiteUrl }),
      ...(instructions === undefined ? {} : { instructions }),
      limits,
      ...(config.tools === undefined && config.extraTools === undefined ? {} : { tools: registry }),
    });
    for (const key of ['tools', 'extraTools'] as const)
      await this.#addTools(key, config[key] ?? [], registry);
    await this.#addPrompts(config.prompts ?? [], server);
    await this.#addResources(config.resources ?? [], server);
    if (this.#mistakes.length > 0) {
      await server.close();
      throw new ConfigError(basename(this.#read.file), sorted(this.#mistakes.map(this.#read.locate)));
    }
    return server;
  }

  async #addTools(
    key: 'extraTools' | 'tools',
    entries: Entries<'tools'>,
    registry: ToolRegistry,
  ): Promise<void> {
    for (const [index, entry] of entries.entries()) {
      const path = [key, index];
      if ('http' in entry) {
        const made = toHttpTool(entry, this.#client);
        if ('mistakes' in made) this.#note(path, made.mistakes);
        else this.#try(path, () => registry.registerAll([made.definition]));
      } else {
        for (const definition of await this.#definitions<ToolLike>(path, entry))
          this.#try(path, () => registry.registerAll([definition]));
      }
    }
  }

  async #addPrompts(entries: Entries<'prompts'>, server: ToolwrightServer): Promise<void> {
    for (const [index, entry] of entries.entries()) {
      const path = ['prompts', index];
      for (const definition of await this.#definitions<AnyPromptDefinition>(path, entry))
        this.#try(path, () => server.registerPrompt(toPrompt(definition as PromptEntryConfig)));
    }
  }

  async #addResources(entries: Entries<'resources'>, server: ToolwrightServer): Promise<void> {
    for (const [index, entry] of entries.entries()) {
      const path = ['resources', index];
      const found = await this.#definitions<AnyResourceDefinition>(
        path,
        entry as AnyResourceDefinition | ModuleEntry,
      );
      for (const definition of found)
        this.#try(path, () => {
          for (const each of this.#toResources(definition as DirectoryEntry | ResourceEntryConfig))
            server.registerResource(each);
        });
    }
  }

  #toResources(entry: DirectoryEntry | ResourceEntryConfig): AnyResourceDefinition[] {
    if ('directory' in entry) {
      const { directory, ...rest } = entry;
      return directoryResources({ ...rest, root: this.#resolve(directory) });
    }
    const { file, ...rest } = entry;
    if (file === undefined) return [rest as AnyResourceDefinition];
    const path = this.#resolve(file);
    const mimeType = rest.mimeType ?? typeOfName(basename(path), {}) ?? 'text/plain';
    const contentProvider = async (): Promise<Buffer | string> => {
      const bytes = await readFile(path);
      return isTextual(mimeType) ? bytes.toString('utf8') : bytes;
    };
    return [{ ...rest, mimeType, contentProvider } as AnyResourceDefinition];
  }

  #resolve(path: string): string {
    return isAbsolute(path) ? path : join(this.#read.folder, path);
  }

  /** What stands there, or what the module exports that is named there. */
  async #definitions<TDefinition extends object>(
    path: readonly (number | string)[],
    entry: ModuleEntry | TDefinition,
  ): Promise<readonly TDefinition[]> {
    if (!('module' in entry)) return [entry];
    try {
      const exported = await this.#import(entry);
      return (isIterable(exported) ? [...exported] : [exported]) as TDefinition[];
    } catch (error) {
      this.#note(path, [{ path: ['module'], message: `cannot be loaded: ${describe(error)}` }]);
      return [];
    }
  }

  async #import({ module, export: name = 'default' }: ModuleEntry): Promise<object> {
    const isFile = /^\.{0,2}\//.test(module) || isAbsolute(module);
    const file = isFile ? this.#resolve(module) : createRequire(this.#read.file).resolve(module);
    const loaded = (
      /^\.m?ts$/.test(extname(file)) ? await importTypeScript(file) : await import(pathToFileURL(file).href)
    ) as Readonly<Record<string, unknown>>;
    const exported = loaded[name];
    if (typeof exported === 'object' && exported !== null) return exported;
    const names = Object.keys(loaded).join(', ');
    throw new DefinitionError(
      `it exports no definitions as "${name}". It exports: ${names === '' ? 'nothing' : names}.`,
    );
  }

  #try(path: readonly (number | string)[], add: () => unknown): void {
    try {
      add();
    } catch (error) {
      if (!(error instanceof ToolwrightError)) throw error;
      this.#note(path, [{ path: [], message: `is wrong: ${error.message}` }]);
    }
  }

  #note(path: readonly (number | string)[], mistakes: readonly Mistake[]): void {
    this.#mistakes.push(...mistakes.map((mistake) => ({ ...mistake, path: [...path, ...mistake.path] })));
  }
}

function isIterable(value: object): value is Iterable<unknown> {
  return typeof (value as { [Symbol.iterator]?: unknown })[Symbol.iterator] === 'function';
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
}

/** Several messages become a handler that fills them all in. */
function toPrompt(entry: PromptEntryConfig): AnyPromptDefinition {
  const { messages, ...rest } = entry;
  if (messages === undefined) return rest;
  if (rest.template !== undefined)
    throw new DefinitionError(
      `Prompt "${rest.name}" has both a template and messages: one of them is enough.`,
    );
  const names = (rest.arguments ?? []).map(({ name }) => name);
  const rendered = messages.map(({ role, text }) => ({
    role,
    render: compilePromptTemplate(text, { owner: `Prompt "${rest.name}"`, names }),
  }));
  return {
    ...rest,
    handler: ({ input }: { input: object }) =>
      rendered.map(({ role, render }) => ({ role, content: { type: 'text' as const, text: render(input) } })),
  };
}
