import { isDate, toMonth } from '../dates/dates.ts';
import { badRequest } from './api-error.ts';
import { getParam } from './operation.ts';
import type { Call } from './operation.ts';

/** The knowledge from which a delta is requested, or undefined for a full response. */
export function findLastKnowledge(call: Call): number | undefined {
  const text = call.query.get('last_knowledge_of_server');
  if (text === null || text === '') return undefined;
  const value = Number(text);
  if (!/^\d{1,15}$/.test(text)) throw badRequest('last_knowledge_of_server must be an integer of at least 0');
  return value;
}

export function findDate(call: Call, name: string): string | undefined {
  const text = call.query.get(name);
  if (text === null || text === '') return undefined;
  if (!isDate(text)) throw badRequest(`${name} must be a date in ISO format such as 2016-12-30`);
  return text;
}

export function findBoolean(call: Call, name: string): boolean {
  const text = call.query.get(name);
  if (text !== null && text !== 'true' && text !== 'false') throw badRequest(`${name} must be true or false`);
  return text === 'true';
}

/** The month of the path: `current`, or the month of a date. */
export function getMonthParam(call: Call): string {
  const text = getParam(call, 'month');
  if (text === 'current') return toMonth(call.today);
  if (!isDate(text)) throw badRequest('month must be "current" or a date in ISO format such as 2016-12-01');
  return toMonth(text);
}
