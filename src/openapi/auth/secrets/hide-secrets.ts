import { REDACTED } from '../../../errors/sanitize.ts';
import { HiddenTexts } from './hidden-texts.ts';

/** Creates a matcher that removes secrets from texts and finds them in bytes. */
export function hiddenSecrets(secrets: Iterable<string>): HiddenTexts {
  return new HiddenTexts([...secrets].map((secret) => [secret, REDACTED]));
}

/** Removes all secrets from a text. */
export function hideSecrets(text: string, secrets: Iterable<string>): string {
  return hiddenSecrets(secrets).hide(text);
}

/** Form-encodes a value. */
export function formEncode(value: string): string {
  return new URLSearchParams([['', value]]).toString().slice(1);
}
