/** The memory attack: `npm run soak -- --only memory`, and its short form in `test/promises`. */
export { ATTACKS } from './attacks/index.mjs';
export { attackMemory } from './judge.mjs';
export { formatMemory, memoryFigures } from './figures.mjs';
