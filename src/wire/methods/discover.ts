import { MODERN } from '../revisions.ts';
import { META, TASKS_EXTENSION } from '../meta-keys.ts';
import type { Method } from '../method.ts';
import type { Served } from '../served.ts';

/** What a server can do, as it is declared. */
export function capabilitiesOf({ tools, prompts, resources }: Served): Record<string, object> {
  return {
    logging: {},
    ...(prompts === undefined && resources === undefined ? {} : { completions: {} }),
    ...(tools === undefined ? {} : { tools: { listChanged: true } }),
    ...(prompts === undefined ? {} : { prompts: { listChanged: true } }),
    ...(resources === undefined ? {} : { resources: { listChanged: true, subscribe: true } }),
  };
}

/** `server/discover`. */
export const discover: Method = ({ served }) => {
  const { ttlMs, scope } = served.cacheHints['server/discover'];
  const { instructions } = served;
  const extensions = served.tools === undefined ? {} : { extensions: { [TASKS_EXTENSION]: {} } };
  return {
    json: JSON.stringify({
      resultType: 'complete',
      supportedVersions: [MODERN.version],
      capabilities: { ...capabilitiesOf(served), ...extensions },
      ...(instructions === undefined ? {} : { instructions }),
      ttlMs,
      cacheScope: scope,
      _meta: { [META.serverInfo]: served.info },
    }),
  };
};
