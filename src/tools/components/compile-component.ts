import { nounOf } from '../../errors/component-kind.ts';
import type { OtherKind } from '../../errors/component-kind.ts';
import { withLogFields } from '../../errors/log-fields.ts';
import { compileChain } from '../../middleware/compile-chain.ts';
import type { AnyMiddleware } from '../../middleware/middleware.ts';
import type { CompiledTool } from '../../pipeline/tool/compiled-tool.ts';
import type { CompiledSchema } from '../../schema/checks/compile-schema.ts';
import { deepFreeze } from '../../base/json/deep-freeze.ts';
import type { ComponentDefinition } from './component-definition.ts';
import { assertTimeout } from '../compile/tool-settings.ts';
import type { ToolSettings } from '../compile/tool-settings.ts';

/** Parts of a prompt or a resource to compile. */
export interface ComponentParts {
  readonly kind: OtherKind;
  /** Lookup key: the name of a prompt, the URI or URI template of a resource. */
  readonly key: string;
  /** Label for the security wrapper. Default: the key. */
  readonly operation?: string;
  readonly definition: ComponentDefinition & { readonly middleware?: readonly AnyMiddleware[] };
  readonly input: CompiledSchema;
  readonly handler: CompiledTool['handler'];
}

/** Compiles a record with middleware around its handler: first the shared middleware, then its own. */
export type Surround = (middleware: readonly AnyMiddleware[]) => CompiledTool;

/** Compiles a prompt or a resource to the same record as a tool, so that its calls take the same path. */
export function compileComponent(parts: ComponentParts, settings: ToolSettings): Surround {
  const bare = toRecord(parts, settings);
  // Copied, so that later changes of the definition are not seen.
  const own = [...(parts.definition.middleware ?? [])];
  return (middleware) => {
    const chain = compileChain(bare.handler, [...middleware, ...own], bare.subject);
    return { ...bare, handler: chain as CompiledTool['handler'] };
  };
}

function toRecord(parts: ComponentParts, settings: ToolSettings): CompiledTool {
  const { kind, key, operation = key, definition, input, handler } = parts;
  // Copied and frozen, so that later changes of the definition do not affect the policy.
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
    server: settings.name,
    label: undefined,
    operation,
    input,
    output: undefined,
    handler,
    preview: undefined,
    confirmIf: undefined,
    resolveDefaults: undefined,
    resolvedArguments: [],
    hasSecrets: false,
    secure: settings.withSecurityWrapper(subject.namespace, subject.operation, input),
    // The results of prompts and resources have no `isError`.
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
