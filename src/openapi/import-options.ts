import type { Finding } from '../errors/finding.ts';
import type { Principal } from '../middleware/context.ts';
import type { OutboundClient, OutboundOptions } from '../outbound/outbound-client.ts';
import type { AnyResourceDefinition } from '../resources/resource-definition.ts';
import type { JsonSchemaCompiler } from '../schema/issues/json-schema-compiler.ts';
import type { Clock } from '../base/time/clock.ts';
import type { AuthOptions } from './auth/credential.ts';
import type { DocumentLimits } from './document/parse/document-limits.ts';
import type { DocumentSource } from './document/load-document.ts';
import type { NameOptions } from './naming/name-operations.ts';
import type { Operation } from './model/operation.ts';
import type { ReadFile } from './request/request-plan.ts';
import type { OperationOverride } from './selection/operation-override.ts';
import type { RouteMap } from './selection/route-maps.ts';
import type { OperationFilters } from './selection/select-operations.ts';

/** Registry that imported tools are added to: a `ToolRegistry`, or any object with `registerAll`. */
export interface ToolTarget {
  registerAll(definitions: Iterable<never>): unknown;
}

/** Manager that imported resources are added to: a `ResourcesManager`, or any object with `addResource`. */
export interface ResourceTarget {
  addResource(definition: AnyResourceDefinition): unknown;
}

/** Caller who passes the URI of a file. A caller may only upload files that it may read. */
export interface FileReader {
  readonly principal: Principal | undefined;
  readonly accessToken: string | undefined;
  readonly signal: AbortSignal;
}

/** Options of `fromOpenAPI`. */
export interface OpenApiOptions extends Omit<OperationFilters, 'mode'>, AuthOptions {
  /** Registry that the tools are added to. Default: none; register the `tools` of the import yourself. */
  readonly registry?: ToolTarget;
  /** Manager that the resources of route maps are added to. Default: none. */
  readonly resources?: ResourceTarget;

  /** Base URL of the API. Default: the `servers` of the document. */
  readonly baseUrl?: string;
  /** Values of the variables in the URLs of the document's servers. Default: the defaults of the document. */
  readonly serverVariables?: Readonly<Record<string, string>>;

  /** Prefix of every name, joined with `_`. Use a different one for each document in a registry. Default: none. */
  readonly namespace?: string;
  /** Maximum length of a tool name, in characters. Default: 64, which every model vendor accepts. */
  readonly maxNameLength?: number;
  /** Abbreviates common words in names: `long` if the name is too long, `always` in all names. Default: `off`. */
  readonly abbreviate?: NonNullable<NameOptions['abbreviate']>;
  /**
   * `safe` replaces characters in argument names that model vendors reject: `filter_status` for `filter[status]`.
   * Default: `safe`.
   */
  readonly argumentNames?: 'exact' | 'safe';
  /** Maximum length of a tool description, in characters. Default: 1,024. */
  readonly maxDescription?: number;
  /** Maximum length of an argument description, in characters. Default: 500. */
  readonly maxArgumentDescription?: number;
  /**
   * Maximum size of a tool's schema definitions, in characters; definitions farther from the arguments are left
   * open. Default: 150,000.
   */
  readonly maxSchemaChars?: number;
  /** Removes HTML elements from descriptions, which saves tokens. Default: false. */
  readonly stripHtml?: boolean;

  /**
   * `all`: every operation that passes the filters; `explicit`: only those in `includeTools`; `dynamic`: three
   * tools that list, describe and call the operations. Default: `all`.
   */
  readonly mode?: 'all' | 'dynamic' | 'explicit';
  /**
   * `tag`: one grouped tool for each tag, with its operations as actions. `none`: one tool for each operation.
   * Default: `none`.
   */
  readonly groupBy?: 'none' | 'tag';
  /**
   * Maps operations to tools, resources, resource templates or nothing. The first match wins. Default: every
   * operation is a tool.
   */
  readonly routeMaps?: readonly RouteMap[];
  /**
   * Changes to single operations, by `operationId` or key (`GET /pets/{id}`). Takes precedence over `x-mcp-…` of
   * the document.
   */
  readonly overrides?: Readonly<Record<string, OperationOverride>>;
  /** Changes to each operation, as a function. Takes precedence over `overrides` and the document. */
  readonly override?: (operation: Operation) => OperationOverride | undefined;
  /**
   * Advertises the response schemas of the document as output schemas. Makes lists many times larger. Default:
   * false.
   */
  readonly outputSchemas?: boolean;
  /** Preferred media types of request bodies, in order. Default: JSON, forms, text, bytes. */
  readonly preferredBodies?: readonly string[];
  /**
   * `false` rejects path parameter values that contain a slash; `true` sends it as `%2F`, or unencoded if the
   * parameter spans segments. Default: true.
   */
  readonly allowSlashes?: boolean;
  /**
   * `true` follows redirects of GET and HEAD within the origin of the API, at most 5; `false` follows none.
   * Default: true.
   */
  readonly redirects?: boolean;
  /**
   * `lenient` ignores `additionalProperties: false` in `allOf` parts that forbid each other's properties. Default:
   * `strict`.
   */
  readonly validate?: 'lenient' | 'strict';

  /**
   * Outbound client, or its options: limits, `allowPrivate`, `tls`. A client of your own stays open when the import
   * is closed.
   */
  readonly outbound?: OutboundClient | OutboundOptions;
  /** Maximum length of a response in one result, in characters; the model can request the rest. Default: 50,000. */
  readonly maxResponseChars?: number;
  /**
   * Maximum size of a binary response in a result, in bytes; larger ones are only described. Default: 7,340,032 (7
   * MiB).
   */
  readonly maxBinaryBytes?: number;
  /** Called with `outputSchemas` when a response does not match its schema. */
  readonly onDrift?: (operation: string, problems: readonly string[]) => void;
  /** Loads the URI of a file argument, for uploads. Default: none; files are base64 or `data:` URLs. */
  readonly readFile?: (uri: string, caller: FileReader) => Promise<ReadFile>;

  /** Headers of the request that fetches the document; sent to its own origin only. Default: none. */
  readonly documentHeaders?: Readonly<Record<string, string>>;
  /**
   * Folders and origins that external `$ref`s may be loaded from. Default: the document's own folder, or its own
   * origin.
   */
  readonly references?: { readonly roots?: readonly string[]; readonly origins?: readonly string[] };
  /** OpenAPI Overlays, applied in this order. Default: none. */
  readonly overlays?: readonly DocumentSource[];
  /** Limits of the document: bytes, files, depth and values. Default: see `DocumentLimits`. */
  readonly limits?: Partial<DocumentLimits>;
  /** Folder that relative paths start from. Default: `process.cwd()`. */
  readonly cwd?: string;
  /** Compiles the schemas that validate arguments. Default: Ajv. */
  readonly jsonSchemaCompiler?: JsonSchemaCompiler;
  /** Source of the current time; tests pass their own. Default: the system clock. */
  readonly clock?: Clock;
  /**
   * Writes the sentences about options in the report, from their data. Default: `finding.message`, with option
   * names as in code.
   */
  readonly describeFinding?: (finding: Finding) => string;
}
