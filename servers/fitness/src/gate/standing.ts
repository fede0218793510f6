import type { Plan } from './catalog.ts';

export const ROLES = ['user', 'member', 'owner', 'admin'] as const;
export type Role = (typeof ROLES)[number];

/** A decision of an administrator or owner about one tool of a tenant. */
export interface Override {
  readonly tool: string;
  readonly isEnabled: boolean;
  readonly setBy: string;
  /** ISO 8601, UTC. */
  readonly setAt: string;
  readonly reason: string;
}

export interface TenantStanding {
  readonly role: 'member' | 'owner';
  readonly tenant: string;
  readonly plan: Plan;
  /** By tool. */
  readonly overrides: ReadonlyMap<string, Override>;
}

/** Everything about a caller that decides about tools. A `user` has no tenant. */
export type Standing = { readonly role: 'anonymous' | 'user' | 'admin' } | TenantStanding;
