import * as z from 'zod';
import { ID_PATTERN } from '../../accounts/validate-account.ts';
import { CATALOG, CATEGORIES } from '../../gate/catalog.ts';

const PLAN_TOOLS = [...CATALOG.values()].flatMap(({ name, plan }) => (plan === undefined ? [] : [name]));

/** The id of a user or tenant. */
export const id = z.string().regex(ID_PATTERN);
/** A tool that plans and overrides decide about. */
export const planTool = z.enum(PLAN_TOOLS, { error: 'Not a tool that plans decide about' });
export const category = z.enum(CATEGORIES);
