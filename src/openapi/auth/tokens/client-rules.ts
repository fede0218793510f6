import { oneOf } from '../../../errors/options/rules.ts';
import type { Rule } from '../../../errors/options/rules.ts';
import { isWeb } from './trusted-origins.ts';

/** URL of a token endpoint. */
export const TOKEN_URL: Rule = [
  (value) => URL.canParse(String(value)) && isWeb(new URL(String(value))),
  'a URL such as https://id.example.com/token',
];

/** Method of client authentication. */
export const CLIENT_AUTHENTICATION: Rule = oneOf('basic', 'post');
