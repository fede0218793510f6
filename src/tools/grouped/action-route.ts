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

/** What the way to an action is made of. */
export interface ActionRouteParts {
  /** The name of the grouped tool on the wire. */
  readonly name: string;
  readonly discriminator: string;
  /** By what the discriminator says. */
  readonly actions: ReadonlyMap<string, CompiledTool>;
  readonly headerArguments?: HeaderArguments;
  /** Describes the others, where only the required arguments of each are listed. */
  readonly describer?: (() => CompiledTool) | undefined;
}

/** More than anyone reads. */
const MAX_NAMED = 200;

/** The way from the name of a grouped tool to one of its actions. */
export function createActionRoute({
  name,
  discriminator,
  actions,
  headerArguments,
  describer,
}: ActionRouteParts): Route {
  const [first] = actions.values();
  // Answers for the tool as a whole: nothing is the fault of one action before one is chosen.
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

/** The handler does not see the discriminator. */
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
