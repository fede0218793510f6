import { createRegistry, serveRegistry } from '../registry.mjs';

/** The list of the registry as three strings, the middle one cached. */
export const toolwrightPieces = {
  name: 'toolwright, in pieces',
  create: async (size, catalogue) => {
    const { listPieces, close } = serveRegistry(createRegistry(size, { isAsync: true, catalogue }));
    return { list: listPieces, close };
  },
};
