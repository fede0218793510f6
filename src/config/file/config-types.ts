import type { AuthOptions } from '../../auth/protected-resource.ts';
import type { Verifier } from '../../auth/verifier.ts';
import type { ErrorsShown } from '../../errors/error-handler.ts';
import type { AnyPromptDefinition } from '../../prompts/prompt-definition.ts';
import type { Exposure, SurfaceOptions } from '../../registry/exposure/exposure.ts';
import type { PromptList } from '../../prompts/prompt-list.ts';
import type { BuilderFor } from '../../registry/registry-unit.ts';
import type { ToolList } from '../../registry/tool-list.ts';
import type { OpenApiSource } from '../../server/openapi-server.ts';
import type { ResourceList } from '../../resources/resource-list.ts';
import type { AnyResourceDefinition } from '../../resources/resource-definition.ts';
import type { ServerLimits } from '../../wire/served/served.ts';
import type { AnyToolDefinition } from '../../tools/tool-definition.ts';
import type { McpToolAnnotations } from '../../model/mcp-types.ts';
import type { PolicyRules } from '../../pipeline/tool/policy-rules.ts';
import type { MissingScopes } from '../../tools/tool-definition.ts';
import type { AuthConfig, PrincipalConfig } from './auth-config.ts';

/** A module that exports a definition or an array of definitions. */
export interface ModuleEntry {
  /** A path relative to the configuration file, or the name of a package. */
  readonly module: string;
  /** Name of the export. Default: `'default'`. */
  readonly export?: string;
}

/** Members that tools, prompts and resources of a configuration share. */
export interface ConfigShared {
  readonly title?: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly scopes?: readonly string[];
  readonly timeoutMs?: number;
}

/** One argument of an HTTP tool. */
export interface HttpToolArgument {
  /** Default: `'string'`. */
  readonly type?: 'array' | 'boolean' | 'integer' | 'number' | 'object' | 'string';
  readonly description?: string;
  readonly required?: boolean;
  /** Location in the request. Default: `'path'` if the URL names it, `'query'` for GET, HEAD and DELETE, otherwise `'body'`. */
  readonly in?: 'body' | 'header' | 'path' | 'query';
  /** Name of the parameter in the request. Default: the name of the argument. */
  readonly as?: string;
  readonly secret?: boolean;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly items?: {
    readonly type?: string;
    readonly description?: string;
    readonly enum?: readonly unknown[];
  };
}

/** The request of an HTTP tool. */
export interface HttpToolRequest {
  readonly method?: 'DELETE' | 'GET' | 'HEAD' | 'PATCH' | 'POST' | 'PUT';
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: Readonly<Record<string, unknown>>;
  readonly bodyType?: 'form' | 'json';
  readonly response?: { readonly select?: string; readonly as?: 'auto' | 'json' | 'text' };
}

/** A tool that sends an HTTP request. */
export interface HttpToolEntry extends ConfigShared {
  readonly name: string;
  readonly description: string;
  readonly missingScopes?: MissingScopes;
  readonly category?: string;
  readonly annotations?: McpToolAnnotations;
  readonly arguments?: Readonly<Record<string, HttpToolArgument>>;
  readonly http: HttpToolRequest;
}

/** An OpenAPI document of a configuration, and its import options. Options that are functions need a JavaScript or TypeScript file. */
export interface OpenApiEntry extends Omit<OpenApiSource, 'document' | 'overlays'> {
  /** A path relative to the configuration file, or an `http:` or `https:` URL. */
  readonly document: string;
  readonly overlays?: readonly string[];
}

/** TLS options as paths of files: a client certificate, and certificate authorities. */
export interface TlsFiles {
  /** Origins that these options apply to. */
  readonly origins: readonly string[];
  /** Client certificate, PEM. */
  readonly cert?: string;
  /** Private key of the client certificate, PEM. */
  readonly key?: string;
  /** Certificate and key in one PKCS#12 file, instead of `cert` and `key`. */
  readonly pfx?: string;
  /** Passphrase of the private key. */
  readonly passphrase?: string;
  /** Certificate authorities, PEM. Default: those of Node. */
  readonly ca?: string | readonly string[];
}

/** A prompt of a configuration. */
export interface PromptEntryConfig extends ConfigShared {
  readonly name: string;
  readonly arguments?: readonly {
    readonly name: string;
    readonly title?: string;
    readonly description?: string;
    readonly required?: boolean;
  }[];
  readonly complete?: Readonly<Record<string, readonly string[]>>;
  readonly template?: string;
  readonly messages?: readonly { readonly role: 'assistant' | 'user'; readonly text: string }[];
}

interface ResourceShared extends ConfigShared {
  readonly uri: string;
  readonly name: string;
  readonly cacheHint?: { readonly ttlMs: number; readonly scope?: 'private' | 'public' };
}

/** A resource of a configuration. */
export interface ResourceEntryConfig extends ResourceShared {
  readonly mimeType?: string;
  readonly text?: string;
  readonly blob?: string;
  readonly file?: string;
}

/** A folder whose files are resources. */
export interface DirectoryEntry extends ResourceShared {
  readonly directory: string;
  readonly hidden?: boolean;
  readonly maxBytes?: number;
}

/** The transport of a configured server. */
export type TransportConfig =
  | { readonly type: 'stdio' }
  | {
      readonly type: 'http';
      readonly host?: string;
      readonly port?: number;
      readonly path?: string;
      readonly allowedHosts?: readonly string[];
      readonly allowedOrigins?: readonly string[];
      /** Addresses and ranges of trusted proxies, whose `X-Forwarded-For` header contains the address of the client. */
      readonly clientAddress?: { readonly forwardedFor: readonly string[] };
      /** Whether `/readyz` fails while the catalog differs from that of other nodes with the same `stores`. Default: false. */
      readonly requireSameCatalog?: boolean;
    };

/** Stores in one Redis, which several processes and machines share. */
export interface RedisStoresConfig {
  /** `redis://` or, with TLS, `rediss://`, with user, password and the number of the database. */
  readonly url: string;
  /** Start of all keys. Default: `'toolwright'`. */
  readonly prefix?: string;
  /** Number of processes that share the rate limits; only used while Redis is not available. Default: 2. */
  readonly nodes?: number;
}

/** Stores in one SQLite file, which the processes of one machine share. */
export interface SqliteStoresConfig {
  /** Path of the file. */
  readonly path: string;
}

/** The stores of a configuration. */
export type StoresConfig = { readonly redis: RedisStoresConfig } | { readonly sqlite: SqliteStoresConfig };

/** A server as data. In a JavaScript or TypeScript file, its arrays may also contain definitions. */
export interface Config {
  readonly $schema?: string;
  readonly name: string;
  readonly version?: string;
  readonly title?: string;
  readonly description?: string;
  readonly websiteUrl?: string;
  readonly instructions?: string;
  readonly openapi?: OpenApiEntry | readonly OpenApiEntry[];
  readonly tools?: readonly (AnyToolDefinition | BuilderFor<object> | HttpToolEntry | ModuleEntry)[];
  readonly extraTools?: readonly (AnyToolDefinition | BuilderFor<object> | HttpToolEntry | ModuleEntry)[];
  readonly prompts?: readonly (AnyPromptDefinition | ModuleEntry | PromptEntryConfig)[];
  readonly resources?: readonly (
    | AnyResourceDefinition
    | DirectoryEntry
    | ModuleEntry
    | ResourceEntryConfig
  )[];
  readonly exposure?: Exposure;
  readonly pinned?: readonly string[];
  readonly groupedSchemas?: NonNullable<SurfaceOptions['groupedSchemas']>;
  readonly errors?: ErrorsShown;
  readonly rateLimit?: { readonly limit: number; readonly perMs: number };
  readonly limits?: Partial<ServerLimits> & { readonly timeoutMs?: number; readonly maxResultBytes?: number };
  readonly outbound?: {
    readonly allowPrivate?: boolean | readonly string[];
    readonly timeoutMs?: number;
    readonly maxResponseBytes?: number;
    readonly maxHeaderBytes?: number;
    readonly maxConnections?: number;
    readonly maxRetries?: number;
    readonly userAgent?: string;
    readonly tls?: TlsFiles;
  };
  /** Authentication over HTTP. In a file of code also a verifier or options of `toolwright/auth`. Default: every caller is anonymous. */
  readonly auth?: AuthConfig | AuthOptions | Verifier;
  /** Which tools, prompts and resources exist, and for which callers. */
  readonly policy?: PolicyRules;
  readonly missingScopes?: MissingScopes;
  /** The caller over standard input and output. Default: the anonymous caller. */
  readonly principal?: PrincipalConfig;
  /** Stores of the state that outlives a call. Default: the memory of the process. */
  readonly stores?: StoresConfig;
  /** Secrets of at least 32 characters that encrypt request states and the ids of shared sessions. Default: a random one per process. */
  readonly requestStateKeys?: readonly string[];
  readonly transport?: TransportConfig;
}

/** {@link Config} for `defineConfig`: definitions in its arrays are typed by their own schemas, arguments and URI templates. */
interface InferredConfig<TTools, TExtraTools, TPrompts, TTemplates> extends Omit<
  Config,
  'tools' | 'extraTools' | 'prompts' | 'resources'
> {
  readonly tools?: ToolList<TTools, object, HttpToolEntry | ModuleEntry>;
  readonly extraTools?: ToolList<TExtraTools, object, HttpToolEntry | ModuleEntry>;
  readonly prompts?: PromptList<TPrompts, object, ModuleEntry | PromptEntryConfig>;
  readonly resources?: ResourceList<TTemplates, object, DirectoryEntry | ModuleEntry | ResourceEntryConfig>;
}

/**
 * Types a configuration in a JavaScript or TypeScript file, and returns it unchanged. Definitions of tools, prompts and resources are typed as
 * in `createServer`.
 *
 * @example
 * export default defineConfig({ name: 'notes', tools: [{ module: './tools.js' }] });
 */
export function defineConfig<
  TTools = readonly unknown[],
  TExtraTools = readonly unknown[],
  const TPrompts = readonly unknown[],
  const TTemplates = readonly string[],
>(config: InferredConfig<TTools, TExtraTools, TPrompts, TTemplates>): Config {
  return config as unknown as Config;
}
