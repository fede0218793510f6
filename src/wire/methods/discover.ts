import { MODERN } from '../messages/revisions.ts';
import { META, TASKS_EXTENSION } from '../messages/meta-keys.ts';
import { capabilitiesOf } from '../served/handshake.ts';
import type { Method } from '../services/method.ts';

/** `server/discover`. */
export const discover: Method = ({ services }) => {
  const { introduction, tools, cacheHints } = services;
  const { ttlMs, scope } = cacheHints['server/discover'];
  const { info, instructions } = introduction;
  const extensions = tools === undefined ? {} : { extensions: { [TASKS_EXTENSION]: {} } };
  const json = JSON.stringify({
    resultType: 'complete',
    supportedVersions: [MODERN.version],
    capabilities: { ...capabilitiesOf(services), ...extensions },
    ...(instructions === undefined ? {} : { instructions }),
    ttlMs,
    cacheScope: scope,
    _meta: { [META.serverInfo]: info },
  });
  return { json };
};
