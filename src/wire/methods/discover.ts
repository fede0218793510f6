import { MODERN } from '../messages/revisions.ts';
import { META, SKILLS_EXTENSION, TASKS_EXTENSION } from '../messages/meta-keys.ts';
import { capabilitiesOf } from '../served/handshake.ts';
import type { Method } from '../services/method.ts';

/** `server/discover`. */
export const discover: Method = ({ services, exchange }) => {
  const { introduction, tools, skills, cacheHints } = services;
  const { ttlMs, scope } = cacheHints['server/discover'];
  const { info, instructions } = introduction;
  const extensions = {
    ...(tools === undefined ? {} : { [TASKS_EXTENSION]: {} }),
    ...(skills === undefined ? {} : { [SKILLS_EXTENSION]: { directoryRead: true } }),
    ...exchange.extensions,
  };
  const json = JSON.stringify({
    resultType: 'complete',
    supportedVersions: [MODERN.version],
    capabilities: {
      ...capabilitiesOf(services),
      ...(Object.keys(extensions).length === 0 ? {} : { extensions }),
    },
    ...(instructions === undefined ? {} : { instructions }),
    ttlMs,
    cacheScope: scope,
    _meta: { [META.serverInfo]: info },
  });
  return { json };
};
