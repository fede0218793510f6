import { createRegistry, serveRegistry } from '../registry.mjs';

/** The registry with handlers that return at once: no promise, no deadline timer. */
export const toolwrightSync = {
  name: 'toolwright, sync handler',
  create: async (size, catalogue) => {
    // The handler has no part in a list: the other row says it all.
    const { call, close } = serveRegistry(createRegistry(size, { isAsync: false, catalogue }));
    return { call, close };
  },
};
