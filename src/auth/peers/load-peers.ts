import type * as Jose from 'jose';
import type * as Oauth from 'oauth4webapi';
import { MissingPeerError } from '../../errors/errors.ts';

// In a file of their own: the declarations of the verifiers must not import packages that a user may not have.

/** `feature`: the function that needs the package. */
export async function loadJose(feature: string): Promise<typeof Jose> {
  try {
    return await import('jose');
  } catch (cause) {
    throw new MissingPeerError(feature, ['jose'], { cause });
  }
}

export async function loadOauth(): Promise<typeof Oauth> {
  try {
    return await import('oauth4webapi');
  } catch (cause) {
    throw new MissingPeerError('introspection', ['oauth4webapi'], { cause });
  }
}
