import { nounOf } from '../../errors/component-kind.ts';
import type { OtherKind } from '../../errors/component-kind.ts';
import { withLogFields } from '../../errors/log-fields.ts';
import { compileChain } from '../../middleware/compile-chain.ts';
import type { AnyMiddleware } from '../../middleware/middleware.ts';
import type { CompiledTool } from '../../pipeline/tool/compiled-tool.ts';
import type { CompiledSchema } from '../../schema/checks/compile-schema.ts';
import { deepFreeze } from '../../schema/convert/plain-json.ts';
import type { ComponentDefinition } from './component-definition.ts';
import { assertTimeout } from '../compile/tool-settings.ts';
import type { ToolSettings } from '../compile/tool-settings.ts';

/** What a prompt or a resource is compiled from. */
export interface ComponentParts {
  readonly kind: OtherKind;
  /** What it is found by: the name of a prompt, the URI or URI template of a resource. */
  readonly key: string;
  /** The label for the security wrapper. Default: the key. */
  readonly operation?: string;
  readonly definition: ComponentDefinition & { readonly middleware?: readonly AnyMiddleware[] };
  readonly input: CompiledSchema;
  readonly handler: CompiledTool['handler'];
}

/** Makes a record with middleware around its handler: first what stands around everybody, then what is its own. */
export type Surround = (middleware: readonly AnyMiddleware[]) => CompiledTool;

/** Makes the same record of a prompt or a resource as of a tool, so that a call of it takes the same way. */
export function compileComponent(parts: ComponentParts, settings: ToolSettings): Surround {
  const bare = toRecord(parts, settings);
  // Copied: later changes of the definition are not seen.
  const own = [...(parts.definition.middleware ?? [])];
  return (middleware) => {
    const chain = compileChain(bare.handler, [...middleware, ...own], bare.subject);
    return { ...bare, handler: chain as CompiledTool['handler'] };
  };
}

function toRecord(parts: ComponentParts, settings: ToolSettings): CompiledTool {
  const { kind, key, operation = key, definition, input, handler } = parts;
  // Copied and frozen: what the policy decides on must not change when somebody changes the definition later.
  const subject = deepFreeze({
    kind,
    name: key,
    tool: definition.name,
    action: undefined,
    tags: [...(definition.tags ?? [])],
    scopes: [...(definition.scopes ?? [])],
    category: undefined,
    namespace: settings.name,
    operation,
    isReadOnly: true,
    isDestructive: false,
    isIdempotent: true,
  });
  return {
    name: key,
    label: undefined,
    operation,
    input,
    output: undefined,
    handler,
    preview: undefined,
    resolveDefaults: undefined,
    resolvedArguments: [],
    hasSecrets: false,
    secure: settings.withSecurityWrapper(subject.namespace, subject.operation, input),
    // A prompt or a resource has no result that could say `isError`.
    invalidArguments: 'protocol-error',
    isListedWithoutScopes: false,
    findMissingScopes: undefined,
    timeoutMs: assertTimeout(definition.timeoutMs ?? settings.timeoutMs, `${nounOf(kind)} "${key}"`),
    task: undefined,
    structuredText: 'full',
    subject,
    log: withLogFields(settings.collaborators.logger, { [kind]: key }),
    cache: settings.cache,
    collaborators: settings.collaborators,
  };
}
