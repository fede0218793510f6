import { oneOf } from '../../../errors/options/rules.ts';
import type { Rule } from '../../../errors/options/rules.ts';
import { isWeb } from './trusted-origins.ts';

/** Where an authorization server gives out tokens. */
export const TOKEN_URL: Rule = [
  (value) => URL.canParse(String(value)) && isWeb(new URL(String(value))),
  'an address such as https://id.example.com/token',
];

/** How a client proves who it is. */
export const CLIENT_AUTHENTICATION: Rule = oneOf('basic', 'post');
