import { createRegistry, serveRegistry } from '../registry.mjs';

/** The registry by itself, with async handlers as everybody else has them. */
export const toolwright = {
  name: 'toolwright',
  create: async (size, catalogue) => serveRegistry(createRegistry(size, { isAsync: true, catalogue })),
};
