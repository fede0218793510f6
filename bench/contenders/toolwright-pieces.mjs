import { createRegistry, serveRegistry } from '../registry.mjs';

/** The registry's list as three pieces, the middle one ready. */
export const toolwrightPieces = {
  name: 'toolwright, in pieces',
  create: async (size, catalogue) => {
    const { listPieces, close } = serveRegistry(createRegistry(size, { isAsync: true, catalogue }));
    return { list: listPieces, close };
  },
};
