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

/** What a server says of itself hardly ever changes, so it is written once. */
const written = new WeakMap<Served, string>();

/** The server has become able to do something else. */
export function forgetDescription(served: Served): void {
  written.delete(served);
}

/** `server/discover`. */
export const discover: Method = ({ served }) => {
  const json = written.get(served) ?? describe(served);
  written.set(served, json);
  return { json };
};

function describe(served: Served): string {
  const { ttlMs, scope } = served.cacheHints['server/discover'];
  const { instructions } = served;
  const extensions = served.tools === undefined ? {} : { extensions: { [TASKS_EXTENSION]: {} } };
  return JSON.stringify({
    resultType: 'complete',
    supportedVersions: [MODERN.version],
    capabilities: { ...capabilitiesOf(served), ...extensions },
    ...(instructions === undefined ? {} : { instructions }),
    ttlMs,
    cacheScope: scope,
    _meta: { [META.serverInfo]: served.info },
  });
}
