import type { Database } from '../database/database.ts';
import type { Plan } from '../plans/plan.ts';
import type { User } from '../plans/user.ts';

/** One request of a user, after authentication and routing. */
export interface Call {
  readonly database: Database;
  readonly user: User;
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly body: unknown;
  /** A new id for an entity. */
  readonly newId: () => string;
  /** The moment of the request in milliseconds. */
  readonly now: number;
  /** The date of the request, UTC. */
  readonly today: string;
}

/** A request for a plan. During a write, `plan.knowledge` is the knowledge that this change has. */
export interface PlanCall extends Call {
  readonly plan: Plan;
}

export interface Reply {
  readonly status?: number;
  readonly data: object;
}

interface Route {
  /** As in the document. */
  readonly operationId: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
}

/** An operation of the document. A write returns a function that renders its reply after the derived amounts are up to date. */
export type Operation =
  | (Route & { readonly scope: 'user'; readonly handle: (call: Call) => Reply })
  | (Route & { readonly scope: 'plan'; readonly handle: (call: PlanCall) => Reply })
  | (Route & { readonly scope: 'change'; readonly handle: (call: PlanCall) => () => Reply });

/** A `GET` of something in a plan. */
export function defineRead(operationId: string, path: string, handle: (call: PlanCall) => object): Operation {
  return { operationId, method: 'GET', path, scope: 'plan', handle: (call) => ({ data: handle(call) }) };
}

/** A change of a plan; `route` is the method and the path: `POST /plans/{plan_id}/accounts`. */
export function defineChange(
  operationId: string,
  route: `${'POST' | 'PUT' | 'PATCH' | 'DELETE'} /${string}`,
  handle: (call: PlanCall) => () => Reply,
): Operation {
  const [method, path] = route.split(' ') as ['POST' | 'PUT' | 'PATCH' | 'DELETE', string];
  return { operationId, method, path, scope: 'change', handle };
}

/** A parameter of the path, which the router has matched. */
export function getParam(call: Call, name: string): string {
  const value = call.params[name];
  if (value === undefined) throw new Error(`The path has no parameter "${name}".`);
  return value;
}
