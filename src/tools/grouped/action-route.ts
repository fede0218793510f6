import { isObject } from '../../base/is-object.ts';
import { CallRefusedError } from '../../errors/errors.ts';
import { findNearestNames } from '../../errors/nearest-names.ts';
import { NO_ARGUMENTS, NOT_AN_OBJECT } from '../../pipeline/tool/arguments.ts';
import type { Arguments } from '../../pipeline/tool/arguments.ts';
import type { CompiledTool } from '../../pipeline/tool/compiled-tool.ts';
import { guard } from '../../pipeline/visibility/guard.ts';
import type { Caller } from '../../pipeline/tool/policy.ts';
import type { Outcome } from '../../pipeline/tool/outcome.ts';
import type { HeaderArguments, Route, Selection } from '../../pipeline/route.ts';
import { describeKeyAmong } from './brief/describe-action-names.ts';

/** Parts of the route to an action. */
export interface ActionRouteParts {
  /** Advertised name of the grouped tool. */
  readonly name: string;
  readonly discriminator: string;
  /** Actions by value of the discriminator. */
  readonly actions: ReadonlyMap<string, CompiledTool>;
  readonly headerArguments?: HeaderArguments;
  /** Action that describes the other actions, if only their required arguments are listed. */
  readonly describer?: (() => CompiledTool) | undefined;
}

/** Maximum number of actions named in a message. */
const MAX_NAMED = 200;

/** Routes a call of a grouped tool to one of its actions. */
export function createActionRoute({
  name,
  discriminator,
  actions,
  headerArguments,
  describer,
}: ActionRouteParts): Route {
  const [first] = actions.values();
  // Responds for the tool as a whole while no action is chosen, so that errors name no action.
  const face = first === undefined ? undefined : { ...first, name, label: undefined };
  const namesFor = (caller: Caller): string[] =>
    [...actions].filter(([, action]) => guard(action, caller)).map(([key]) => key);
  return {
    isVisible: (caller) => [...actions.values()].some((action) => guard(action, caller)),
    select: (call): Selection => {
      const given = call.arguments ?? NO_ARGUMENTS;
      const key = isObject(given) ? given[discriminator] : undefined;
      const action = typeof key === 'string' ? actions.get(key) : undefined;
      if (action !== undefined && guard(action, call))
        return {
          kind: 'selected',
          tool: action,
          arguments: without(given as Arguments, discriminator),
          headerArguments,
        };
      const available = namesFor(call);
      if (face === undefined || available.length === 0) return { kind: 'unknown' };
      if (!isObject(given)) return { kind: 'refused', tool: face, outcome: NOT_AN_OBJECT };
      if (describer !== undefined) {
        const describeKey = describeKeyAmong(new Set(available));
        if (key === describeKey)
          return { kind: 'selected', tool: describer(), arguments: without(given, discriminator) };
        available.push(describeKey);
      }
      return { kind: 'refused', tool: face, outcome: refuse({ face, discriminator, key, available }) };
    },
  };
}

/** Removes the discriminator, which the handler does not see. */
function without(given: Arguments, discriminator: string): Arguments {
  const { [discriminator]: _action, ...rest } = given;
  return rest;
}

interface Refusal {
  readonly face: CompiledTool;
  readonly discriminator: string;
  readonly key: unknown;
  readonly available: readonly string[];
}

function refuse({ face, discriminator, key, available }: Refusal): Outcome {
  const isMissing = key === undefined || key === null || key === '';
  const shown = available.slice(0, MAX_NAMED).join(', ');
  const more = available.length > MAX_NAMED ? ` and ${available.length - MAX_NAMED} more` : '';
  const message = isMissing
    ? `${discriminator} is required. Available: ${shown}${more}`
    : `Unknown ${discriminator}. Available: ${shown}${more}`;
  const near = typeof key === 'string' ? findNearestNames(key, available) : [];
  const suggestions = near.map((name) => `Did you mean "${name}"?`);
  if (face.invalidArguments === 'protocol-error') {
    const text = isMissing
      ? `is required. Available: ${shown}${more}`
      : `is unknown. Available: ${shown}${more}`;
    return {
      kind: 'invalid-input',
      issues: [{ path: [discriminator], message: [text, ...suggestions].join('. ') }],
    };
  }
  return { kind: 'failed', error: new CallRefusedError('INVALID_ARGUMENTS', message, { suggestions }) };
}
