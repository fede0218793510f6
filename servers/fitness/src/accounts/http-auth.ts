import { apiKeys } from 'toolwright/auth';
import type { AuthOptions } from 'toolwright/auth';
import type { Database } from '../database/database.ts';
import { createAuthorize, TokenStore } from './token-store.ts';

/** Authentication over HTTP: without a token, the caller is anonymous; an invalid token is a 401. */
export function createHttpAuth(database: Database, resource: string): AuthOptions {
  return {
    verify: apiKeys(new TokenStore(database)),
    resource,
    anonymous: true,
    authorize: createAuthorize(database),
  };
}
