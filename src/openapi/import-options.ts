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

/** What imported tools are added to: a `ToolRegistry`, or anything that takes definitions. */
export interface ToolTarget {
  registerAll(definitions: Iterable<never>): unknown;
}

/** What imported resources are added to: a `ResourcesManager`, or anything that takes definitions. */
export interface ResourceTarget {
  addResource(definition: AnyResourceDefinition): unknown;
}

/** Who gives the URI of a file: nobody may send what it could not read. */
export interface FileReader {
  readonly principal: Principal | undefined;
  readonly accessToken: string | undefined;
  readonly signal: AbortSignal;
}

/** How a document becomes tools. */
export interface OpenApiOptions extends Omit<OperationFilters, 'mode'>, AuthOptions {
  /** The tools are added here. Without it, pass the `tools` of the import on by yourself. */
  readonly registry?: ToolTarget;
  /** The resources of route maps are added here. */
  readonly resources?: ResourceTarget;

  /** Where the API is. Default: what the document says. */
  readonly baseUrl?: string;
  /** Values for variables in the addresses of the document's servers. */
  readonly serverVariables?: Readonly<Record<string, string>>;

  /** Stands before every name, with `_` behind it: several documents in one registry need one each. */
  readonly namespace?: string;
  /** Default: 64, which is what every model vendor takes. */
  readonly maxNameLength?: number;
  /** Short forms for common words in names. Default: `off`. */
  readonly abbreviate?: NonNullable<NameOptions['abbreviate']>;
  /** `safe`: names of arguments that every model vendor takes, such as `filter_status` for `filter[status]`. Default: `safe`. */
  readonly argumentNames?: 'exact' | 'safe';
  /** So long is the description of a tool at most. Default: 1024. */
  readonly maxDescription?: number;
  /** So long is the description of an argument at most. Default: 500. */
  readonly maxArgumentDescription?: number;
  /** So long are the definitions of a tool's schema at most; what is farther from the arguments is left open. Default: 150,000. */
  readonly maxSchemaChars?: number;
  /** Takes the elements of HTML out of descriptions, which saves tokens. Default: false. */
  readonly stripHtml?: boolean;

  /**
   * `all` that filters let through; `explicit`: only what `includeTools` names; `dynamic`: three tools that list, describe and call the
   * operations. Default: `all`.
   */
  readonly mode?: 'all' | 'dynamic' | 'explicit';
  /** `tag`: one grouped tool for each tag, with the operations as its actions. Default: every operation by itself. */
  readonly groupBy?: 'none' | 'tag';
  /** What becomes of operations: tools, resources, resource templates or nothing. The first that fits counts. */
  readonly routeMaps?: readonly RouteMap[];
  /** What is wanted of single operations, by `operationId` or key (`GET /pets/{id}`). Wins over `x-mcp-…` of the document. */
  readonly overrides?: Readonly<Record<string, OperationOverride>>;
  /** The same for each operation, as a function. Wins over both. */
  readonly override?: (operation: Operation) => OperationOverride | undefined;
  /** Advertise what the document says of answers. Makes lists many times larger. Default: false. */
  readonly outputSchemas?: boolean;
  /** Media types of bodies in the order in which they are wanted. Default: JSON, forms, texts, bytes. */
  readonly preferredBodies?: readonly string[];
  /** False refuses values of path parameters that have a slash. Otherwise it is sent as `%2F`, or as it is where a parameter spans segments. Default: true. */
  readonly allowSlashes?: boolean;
  /** False follows no redirects. Otherwise those of GET and HEAD within the origin of the API are followed, at most 5. Default: true. */
  readonly redirects?: boolean;
  /** `lenient`: parts of a schema (`allOf`) that forbid each other's properties do not forbid them. Default: `strict`. */
  readonly validate?: 'lenient' | 'strict';

  /** How requests are sent: limits, `allowPrivate`, `tls`. A client of your own stays open when the import is closed. */
  readonly outbound?: OutboundClient | OutboundOptions;
  /** So many characters of an answer are shown at once; the rest on request. Default: 50,000. */
  readonly maxResponseChars?: number;
  /** Binary answers that are larger are described only. Default: 7 MiB. */
  readonly maxBinaryBytes?: number;
  /** Called when an answer differs from what the document says, with `outputSchemas`. */
  readonly onDrift?: (operation: string, problems: readonly string[]) => void;
  /** Reads the URI of a file argument, for uploads. Without it, files are given as base64 or `data:` URLs. */
  readonly readFile?: (uri: string, caller: FileReader) => Promise<ReadFile>;

  /** Headers for fetching the document; they go to its own origin alone. */
  readonly documentHeaders?: Readonly<Record<string, string>>;
  /** Where files may be that the document refers to. Default: its own folder, or its own origin. */
  readonly references?: { readonly roots?: readonly string[]; readonly origins?: readonly string[] };
  /** OpenAPI Overlays, applied in this order. */
  readonly overlays?: readonly DocumentSource[];
  readonly limits?: Partial<DocumentLimits>;
  /** Where relative paths start. Default: the working folder. */
  readonly cwd?: string;
  /** Checks arguments. Default: Ajv. */
  readonly jsonSchemaCompiler?: JsonSchemaCompiler;
  readonly clock?: Clock;
  /** Writes the sentences about options in the report, from their data. Default: `finding.message`, which names options as they are in code. */
  readonly describeFinding?: (finding: Finding) => string;
}
