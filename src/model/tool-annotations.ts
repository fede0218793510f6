import type { McpToolAnnotations } from './mcp-types.ts';

/** What tool annotations can be created with. */
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
 * Hints on a tool's behaviour. `undefined` means "not stated", which is not the same as `false`: the
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

  /** The result is meant for the user as it is. Not in the protocol. */
  returnDirect: boolean | undefined;

  /** Hints the model does not know, kept so that converting back loses nothing. */
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
 * Annotations of a definition as they go over the wire. A hint that is `undefined` is left out; `extensions` of a `ToolAnnotations` become
 * members beside the hints, as the converters write them, and replace none of them.
 */
export function toHints(annotations: McpToolAnnotations | ToolAnnotations): McpToolAnnotations {
  const { extensions, ...hints } = annotations as ToolAnnotations;
  const given = withoutUndefined(hints);
  // Never under its own name, not even where one stands in the other.
  return extensions === undefined
    ? given
    : { ...withoutUndefined({ ...extensions, extensions: undefined }), ...given };
}

function withoutUndefined(members: object): McpToolAnnotations {
  return Object.fromEntries(Object.entries(members).filter(([, member]) => member !== undefined));
}
