import { createRegistry, serveRegistry } from '../registry.mjs';

/** The registry with synchronous handlers: no promise, no deadline timer. */
export const toolwrightSync = {
  name: 'toolwright, sync handler',
  create: async (size, catalogue) => {
    // A list does not use handlers, so the other row is enough.
    const { call, close } = serveRegistry(createRegistry(size, { isAsync: false, catalogue }));
    return { call, close };
  },
};
