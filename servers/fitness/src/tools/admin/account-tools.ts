import * as z from 'zod';
import { MAX_VALID_DAYS } from '../../accounts/validate-account.ts';
import { PLANS } from '../../gate/catalog.ts';
import { ROLES } from '../../gate/standing.ts';
import { defineFitnessTool } from '../define-tool.ts';
import type { FitnessTool } from '../define-tool.ts';
import { id } from './admin-arguments.ts';
import { toCallingActor } from './calling-actor.ts';

const addUser = defineFitnessTool({
  name: 'admin_add_user',
  title: 'Add a user',
  description: 'Adds a user. Owners add members and owners of their own tenant.',
  synonyms: ['create account', 'invite', 'new member', 'onboard'],
  effect: 'creates',
  arguments: {
    user: id,
    role: z.enum(ROLES).optional().describe('Default: member with a tenant, else user'),
    tenant: id.optional().describe('Default: that of an owner who calls'),
  },
  run: ({ input, context: { administration, caller } }) => {
    const { user, role, tenant } = administration.addUser(toCallingActor(caller), input);
    return { data: { user, role, tenant: tenant ?? null } };
  },
});

const issueToken = defineFitnessTool({
  name: 'admin_issue_token',
  title: 'Issue a token',
  description: 'Creates a token with which a user calls this server over HTTP. The result shows it once.',
  synonyms: ['API key', 'credential', 'give access'],
  effect: 'creates',
  arguments: {
    user: id,
    valid_days: z.int().min(1).max(MAX_VALID_DAYS).optional().describe('Default: until it is revoked'),
  },
  run: ({ input: { user, valid_days }, context: { administration, caller } }) => {
    const issued = administration.issueToken(toCallingActor(caller), { user, validDays: valid_days });
    const { token, prefix, expiresAt } = issued;
    return { data: { user, token, prefix, expires_at: expiresAt ?? null } };
  },
});

const setPlan = defineFitnessTool({
  name: 'admin_set_plan',
  title: 'Set the plan of a tenant',
  description: 'Sets the plan of a tenant, which decides about its tools and limits. Creates the tenant.',
  synonyms: ['upgrade', 'downgrade', 'subscription', 'new team', 'create tenant'],
  effect: 'updates',
  arguments: { tenant: id, plan: z.enum(PLANS) },
  run: ({ input, context: { administration, caller } }) => {
    const { tenant, plan, isCreated } = administration.setPlan(toCallingActor(caller), input);
    return { data: { tenant, plan, created: isCreated } };
  },
});

export const ACCOUNT_TOOLS: readonly FitnessTool[] = [addUser, issueToken, setPlan];
