import { createRequire } from 'node:module';

/** Path of the OpenAPI document of the budget API. */
export const DOCUMENT_PATH: string = createRequire(import.meta.url).resolve(
  '@toolwright/ynab-api/openapi.yaml',
);
