import { REDACTED } from '../../../errors/sanitize.ts';
import { HiddenTexts } from './hidden-texts.ts';

/** What takes secrets out of texts, and finds them in bytes. */
export function hiddenSecrets(secrets: Iterable<string>): HiddenTexts {
  return new HiddenTexts([...secrets].map((secret) => [secret, REDACTED]));
}

/** The text without any of the secrets. */
export function hideSecrets(text: string, secrets: Iterable<string>): string {
  return hiddenSecrets(secrets).hide(text);
}

/** A value as forms write it. */
export function formEncode(value: string): string {
  return new URLSearchParams([['', value]]).toString().slice(1);
}
