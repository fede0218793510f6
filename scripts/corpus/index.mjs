/** Entry of the corpus tools, for `npm run corpus` and for the tests. */
export { checkList } from './check-list.mjs';
export { findFiles, hasAddress, readDocument } from './documents.mjs';
export { BASE_URL, examine } from './examine.mjs';
export { compareWithDocument } from './fidelity.mjs';
export { generateDocument } from './generated/generate.mjs';
export { formatPart, replacePart } from './report/markdown.mjs';
export { measureDocument } from './run-measure.mjs';
