/** `toolwright/sqlite`: stores in one SQLite file. Needs Node.js and the package `libsql`. */
export { sqliteStores } from './stores/sqlite/sqlite-stores.ts';
export type { SqliteOptions, SqliteStores } from './stores/sqlite/sqlite-stores.ts';
