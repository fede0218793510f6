import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const VERSION = 'v1';
const BASE64 = /^[A-Za-z0-9+/]{43}=$/;

/** `FITNESS_KEY` is missing or not a key. */
export class InvalidKeyError extends Error {
  override readonly name = 'InvalidKeyError';
}

/** A sealed text was changed, belongs to another owner, or was sealed with another key. */
export class SealBrokenError extends Error {
  override readonly name = 'SealBrokenError';
}

/** Encrypts texts with AES-256-GCM. Each sealed text is bound to its owner: moved to another one, it cannot be opened. */
export class TokenSeal {
  readonly #key: Buffer;

  /** `key`: the value of `FITNESS_KEY`, 32 bytes in Base64. */
  constructor(key: string | undefined) {
    if (key === undefined || key === '') {
      throw new InvalidKeyError(`FITNESS_KEY is not set: tokens are stored only encrypted. ${HINT}`);
    }
    if (!BASE64.test(key)) {
      throw new InvalidKeyError(`FITNESS_KEY must be ${KEY_BYTES} bytes in Base64 (44 characters). ${HINT}`);
    }
    this.#key = Buffer.from(key, 'base64');
  }

  seal(text: string, owner: string): string {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.#key, nonce, { authTagLength: TAG_BYTES });
    cipher.setAAD(Buffer.from(owner));
    const data = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return [VERSION, ...[nonce, cipher.getAuthTag(), data].map((part) => part.toString('base64url'))].join(
      '.',
    );
  }

  open(sealed: string, owner: string): string {
    const [version, ...parts] = sealed.split('.');
    const [nonce, tag, data] = parts.map((part) => Buffer.from(part, 'base64url'));
    if (version !== VERSION || parts.length !== 3 || !nonce || !tag || !data)
      throw new SealBrokenError(BROKEN);
    if (nonce.length !== NONCE_BYTES || tag.length !== TAG_BYTES) throw new SealBrokenError(BROKEN);
    try {
      const decipher = createDecipheriv('aes-256-gcm', this.#key, nonce, { authTagLength: TAG_BYTES });
      decipher.setAAD(Buffer.from(owner));
      decipher.setAuthTag(tag);
      return Buffer.concat([decipher.update(data), decipher.final()]).toString('utf8');
    } catch (cause) {
      throw new SealBrokenError(BROKEN, { cause });
    }
  }
}

const HINT = 'Create a key with: openssl rand -base64 32';
const BROKEN =
  'The stored token cannot be decrypted: FITNESS_KEY has changed, or the token was modified. Connect the provider again.';
