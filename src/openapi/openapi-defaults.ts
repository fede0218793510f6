import { DOCUMENT_DEFAULTS } from './document/parse/document-limits.ts';
import type { DocumentLimits } from './document/parse/document-limits.ts';
import { MAX_BINARY_BYTES } from './response/model/response-options.ts';

/** Limits of an import. */
export interface OpenApiDefaults extends DocumentLimits {
  readonly maxNameLength: number;
  readonly maxDescription: number;
  readonly maxArgumentDescription: number;
  readonly maxSchemaChars: number;
  readonly maxResponseBytes: number;
  readonly maxResponseChars: number;
  readonly maxBinaryBytes: number;
  readonly maxKeptBytes: number;
  readonly keptMs: number;
}

/** Default limits of an import. `docs/limits.md` shows the same numbers; a test compares them. */
export const OPENAPI_DEFAULTS: OpenApiDefaults = {
  ...DOCUMENT_DEFAULTS,
  maxNameLength: 64,
  maxDescription: 1024,
  maxArgumentDescription: 500,
  /** All schema definitions of a tool together. */
  maxSchemaChars: 150_000,
  /** One response; long arrays are returned in parts. */
  maxResponseBytes: 8_388_608,
  /** One part of a response. */
  maxResponseChars: 50_000,
  maxBinaryBytes: MAX_BINARY_BYTES,
  /** All responses that are kept to be returned in parts. */
  maxKeptBytes: 67_108_864,
  keptMs: 600_000,
};
