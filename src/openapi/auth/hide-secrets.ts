import { REDACTED } from '../../errors/sanitize.ts';

/** Shorter ones stand in every text by chance. */
const MIN_HIDDEN = 4;

/** The texts that a secret could show up as: as it is, in JSON, and in addresses. */
export function formsOfSecret(secret: string): string[] {
  const forms = [secret, JSON.stringify(secret).slice(1, -1), formEncode(secret), encodeSafely(secret)];
  return [...new Set(forms)].filter((form) => form.length >= MIN_HIDDEN);
}

/** The text without any of the secrets, the longest first: one may be a part of another. */
export function hideSecrets(text: string, secrets: Iterable<string>): string {
  const forms = [...secrets].flatMap(formsOfSecret).toSorted((one, other) => other.length - one.length);
  return forms.reduce((shown, form) => shown.replaceAll(form, REDACTED), text);
}

/** A value as forms write it. */
export function formEncode(value: string): string {
  return new URLSearchParams([['', value]]).toString().slice(1);
}

/** Half a character cannot be part of an address. */
function encodeSafely(value: string): string {
  return encodeURIComponent(Buffer.from(value).toString());
}
