import { toLoggedError } from '../../errors/log-thrown.ts';
import type { SkillEntry, SkillSource } from '../../skills/skill-source.ts';
import { invalidParams, methodNotFound } from '../messages/rpc-errors.ts';
import { toReply } from '../services/method.ts';
import type { Incoming, Method, MethodReply } from '../services/method.ts';
import { PageBook } from '../services/pages.ts';
import type { ListItem } from '../services/pages.ts';
import type { CacheableMethod, CacheHint } from '../services/services.ts';

/** `skills/list`. An entry is never split across pages. */
export const listSkills: Method = async (incoming): Promise<MethodReply> => {
  const { skills } = incoming.services;
  if (skills === undefined) return { error: methodNotFound(incoming.request.method) };
  const items: ListItem[] = [];
  for (const source of skills)
    for (const uri of source.uris) {
      const entry = await find(incoming, source, uri);
      if (entry !== undefined) items.push({ key: uri, json: JSON.stringify(entry) });
    }
  return toPage(incoming, items, { member: 'skills', hint: hintOf(incoming, 'skills/list') });
};

/** `skills/get`. */
export const getSkill: Method = async (incoming): Promise<MethodReply> => {
  const { skills } = incoming.services;
  if (skills === undefined) return { error: methodNotFound(incoming.request.method) };
  const uri = incoming.request.params?.['uri'];
  if (typeof uri !== 'string') return { error: NO_URI };
  const source = skills.find(({ uris }) => uris.includes(uri));
  const skill = source && (await find(incoming, source, uri));
  if (skill === undefined) return { error: invalidParams(`Unknown skill "${uri.slice(0, 1000)}".`) };
  const { ttlMs, scope: cacheScope } = hintOf(incoming, 'skills/get');
  return toReply(incoming, { skill, ttlMs, cacheScope });
};

/** `resources/directory/read`: the direct children of a directory of a skill. */
export const readDirectory: Method = async (incoming): Promise<MethodReply> => {
  const { skills } = incoming.services;
  if (skills === undefined) return { error: methodNotFound(incoming.request.method) };
  const uri = incoming.request.params?.['uri'];
  if (typeof uri !== 'string') return { error: NO_URI };
  for (const source of skills)
    for (const skill of source.uris) {
      if (!isIn(skill, uri) || !isVisible(incoming, skill)) continue;
      const children = await source.listDirectory(skill, uri);
      if (children === undefined) continue;
      const items = children.map((child) => ({ key: child.uri, json: JSON.stringify(child) }));
      // The extension does not require cache hints here; the Inspector does.
      return toPage(incoming, items, { member: 'resources', hint: hintOf(incoming, 'resources/read') });
    }
  return { error: invalidParams(`Unknown skill directory "${uri.slice(0, 1000)}".`) };
};

const NO_URI = invalidParams('Invalid params: uri must be a string.');

/** The entry of a skill; undefined if it is not visible to the caller or no longer valid. */
async function find(incoming: Incoming, source: SkillSource, uri: string): Promise<SkillEntry | undefined> {
  if (!isVisible(incoming, uri)) return undefined;
  try {
    return await source.getSkill(uri);
  } catch (error) {
    incoming.services.logger.error('a skill cannot be served', { uri, error: toLoggedError(error) });
    return undefined;
  }
}

/** A skill is visible to a caller that may read its SKILL.md. */
function isVisible({ services, exchange }: Incoming, uri: string): boolean {
  return services.resources?.has(uri, exchange.caller) === true;
}

/** Whether a URI is the folder of a skill, or is in it. */
function isIn(skill: string, uri: string): boolean {
  const root = skill.slice(0, skill.lastIndexOf('/'));
  return uri === root || uri.startsWith(`${root}/`);
}

/** Shared caches must not store results that depend on the caller. */
function hintOf({ services }: Incoming, method: CacheableMethod): CacheHint {
  const hint = services.cacheHints[method];
  return services.resources?.variesByCaller === true ? { ...hint, scope: 'private' } : hint;
}

function toPage(
  { services, request }: Incoming,
  items: readonly ListItem[],
  { member, hint }: { readonly member: string; readonly hint: CacheHint },
): MethodReply {
  const cursor = request.params?.['cursor'];
  if (cursor !== undefined && typeof cursor !== 'string')
    return { error: invalidParams('Invalid params: cursor must be a string.') };
  const { maxPageBytes: maxBytes, maxPageItems: maxItems } = services.limits;
  const tail = `"ttlMs":${hint.ttlMs},"cacheScope":"${hint.scope}"`;
  const layout = { member, head: services.introduction.stamp, tail, maxBytes, maxItems };
  const kept = new PageBook(items, layout).find(cursor);
  if (kept !== undefined) return { kept };
  return {
    error: invalidParams('Invalid params: invalid cursor for this list. Start again without a cursor.'),
  };
}
