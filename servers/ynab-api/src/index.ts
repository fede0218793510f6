export { createBudgetApi } from './budget-api.ts';
export type { BudgetApi, BudgetApiOptions, Clock } from './budget-api.ts';
export type { AccessToken } from './http/access.ts';
export { serveBudgetApi } from './http/serve.ts';
export type { ServedBudgetApi, ServeOptions } from './http/serve.ts';
