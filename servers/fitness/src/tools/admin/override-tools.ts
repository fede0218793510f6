import * as z from 'zod';
import type { EffectiveTool } from '../../accounts/effective-tools.ts';
import { MAX_REASON } from '../../accounts/validate-account.ts';
import type { Override } from '../../gate/standing.ts';
import { defineFitnessTool } from '../define-tool.ts';
import type { FitnessTool } from '../define-tool.ts';
import { id, planTool } from './admin-arguments.ts';
import { toCallingActor } from './calling-actor.ts';

const setOverride = defineFitnessTool({
  name: 'admin_set_override',
  title: 'Enable or disable a tool',
  description:
    'Enables or disables a tool for a tenant, with a reason. Returns the decision that follows: a tool that the plan lacks stays disabled.',
  synonyms: ['turn off', 'block', 'allow', 'feature flag', 'switch on'],
  effect: 'updates',
  arguments: {
    tenant: id,
    tool: planTool,
    enabled: z.boolean(),
    reason: z.string().min(1).max(MAX_REASON).describe('One line, for those who read the override later'),
  },
  run: ({ input: { enabled, ...given }, context: { administration, caller } }) => ({
    data: toDecisionRow(administration.setOverride(toCallingActor(caller), { ...given, isEnabled: enabled })),
  }),
});

const removeOverride = defineFitnessTool({
  name: 'admin_remove_override',
  title: 'Remove an override',
  description: 'Removes the override of a tool for a tenant. Returns the decision that follows.',
  synonyms: ['reset', 'undo', 'back to default'],
  effect: 'deletes',
  arguments: { tenant: id, tool: planTool },
  run: ({ input, context: { administration, caller } }) => ({
    data: toDecisionRow(administration.removeOverride(toCallingActor(caller), input)),
  }),
});

/** A decision with its source. */
export function toDecisionRow({ tool, category, isAllowed, source, reason }: EffectiveTool): object {
  return { tool, category, allowed: isAllowed, source, reason };
}

/** An override with its author, its time and its reason. */
export function toOverrideRow({ tool, isEnabled, setBy, setAt, reason }: Override): object {
  return { tool, enabled: isEnabled, set_by: setBy, set_at: setAt, reason };
}

export const OVERRIDE_TOOLS: readonly FitnessTool[] = [setOverride, removeOverride];
