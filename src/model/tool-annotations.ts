import type { McpToolAnnotations } from './mcp-types.ts';

/** Options of {@link ToolAnnotations}. */
export interface ToolAnnotationsOptions {
  readonly title?: string | undefined;
  readonly readOnlyHint?: boolean | undefined;
  readonly destructiveHint?: boolean | undefined;
  readonly idempotentHint?: boolean | undefined;
  readonly openWorldHint?: boolean | undefined;
  readonly returnDirect?: boolean | undefined;
  readonly extensions?: Record<string, unknown> | undefined;
}

/**
 * Hints about a tool's behaviour. `undefined` means "not stated", which is not the same as `false`: the
 * protocol's defaults differ from hint to hint.
 *
 * @example
 * const annotations = new ToolAnnotations({ readOnlyHint: true, openWorldHint: false });
 */
export class ToolAnnotations {
  title: string | undefined;
  readOnlyHint: boolean | undefined;
  destructiveHint: boolean | undefined;
  idempotentHint: boolean | undefined;
  openWorldHint: boolean | undefined;

  /** The result should be returned to the user directly. Not in the protocol. */
  returnDirect: boolean | undefined;

  /** Unknown hints, kept so that converting back loses nothing. */
  extensions: Record<string, unknown>;

  constructor(options: ToolAnnotationsOptions = {}) {
    this.title = options.title;
    this.readOnlyHint = options.readOnlyHint;
    this.destructiveHint = options.destructiveHint;
    this.idempotentHint = options.idempotentHint;
    this.openWorldHint = options.openWorldHint;
    this.returnDirect = options.returnDirect;
    this.extensions = options.extensions ?? {};
  }
}

/**
 * Converts the annotations of a definition to MCP. `undefined` hints are left out; `extensions` of a
 * `ToolAnnotations` become members beside the hints, as with the converters, and replace none of them.
 */
export function toHints(annotations: McpToolAnnotations | ToolAnnotations): McpToolAnnotations {
  const { extensions, ...hints } = annotations as ToolAnnotations;
  const given = withoutUndefined(hints);
  // `extensions` itself is never a member of the result, even if it contains a member of that name.
  return extensions === undefined
    ? given
    : { ...withoutUndefined({ ...extensions, extensions: undefined }), ...given };
}

function withoutUndefined(members: object): McpToolAnnotations {
  return Object.fromEntries(Object.entries(members).filter(([, member]) => member !== undefined));
}
