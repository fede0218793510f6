import { DOCUMENT_DEFAULTS } from './document/parse/document-limits.ts';
import type { DocumentLimits } from './document/parse/document-limits.ts';
import { MAX_BINARY_BYTES } from './response/model/response-options.ts';

/** The limits of an import. */
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

/** The limits of an import where nothing else is said. `docs/limits.md` shows the same numbers; a test compares them. */
export const OPENAPI_DEFAULTS: OpenApiDefaults = {
  ...DOCUMENT_DEFAULTS,
  maxNameLength: 64,
  maxDescription: 1024,
  maxArgumentDescription: 500,
  /** Of all definitions of a tool together. */
  maxSchemaChars: 150_000,
  /** Of one answer: lists of APIs are long, and shown in parts. */
  maxResponseBytes: 8_388_608,
  /** Of one answer, at once. */
  maxResponseChars: 50_000,
  maxBinaryBytes: MAX_BINARY_BYTES,
  /** Of all answers that are shown in parts. */
  maxKeptBytes: 67_108_864,
  keptMs: 600_000,
};
