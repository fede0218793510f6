import type { RequestCase } from '../support/request-case.ts';
import { CONTENT_CASES } from './content-cases.ts';
import { FORM_BODY_CASES } from './form-cases.ts';
import { COOKIE_CASES, HEADER_CASES } from './header-cases.ts';
import { JSON_CASES } from './json-cases.ts';
import { MIXED_CASES } from './mixed-cases.ts';
import { MULTIPART_CASES } from './multipart-cases.ts';
import { PATH_CASES } from './path-cases.ts';
import { QUERY_CASES } from './query-cases.ts';

export { SWAGGER_CASES } from './swagger-cases.ts';

/** Every request of OpenAPI 3. */
export const REQUEST_CASES: readonly RequestCase[] = [
  ...PATH_CASES,
  ...QUERY_CASES,
  ...HEADER_CASES,
  ...COOKIE_CASES,
  ...JSON_CASES,
  ...CONTENT_CASES,
  ...FORM_BODY_CASES,
  ...MULTIPART_CASES,
  ...MIXED_CASES,
];
