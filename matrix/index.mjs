import { CLIENTS } from './rows/clients.mjs';
import { COMPILERS } from './rows/compilers.mjs';
import { DECORATORS } from './rows/decorators.mjs';
import { RUNTIMES } from './rows/runtimes.mjs';

export { FOLDERS, inMatrix } from './execute.mjs';
export { formatRow, headOf, readTable, writeTable } from './table.mjs';

/** The tables of docs/compatibility.md, in its order. A row has a name, the package `of` a folder whose version it shows, and `run`. */
export const TABLES = { runtimes: RUNTIMES, clients: CLIENTS, compilers: COMPILERS, decorators: DECORATORS };
