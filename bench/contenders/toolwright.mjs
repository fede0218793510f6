import { createRegistry, serveRegistry } from '../registry.mjs';

/** The registry alone, with async handlers like all contenders. */
export const toolwright = {
  name: 'toolwright',
  create: async (size, catalogue) => serveRegistry(createRegistry(size, { isAsync: true, catalogue })),
};
