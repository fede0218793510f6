import { StravaStandIn } from '../providers/support/strava-stand-in.ts';
import { NOW, startStack } from './stack.ts';
import type { Stack, StackOptions } from './stack.ts';

/** A stack with a Strava application, and the stand-in for Strava that it uses. */
export interface StravaStack extends Stack {
  readonly strava: StravaStandIn;
}

export async function startStravaStack({
  environment = {},
  ...options
}: StackOptions = {}): Promise<StravaStack> {
  // The clock of the stack starts at this time. Tokens of the stand-in outlast the tests.
  const strava = await StravaStandIn.start(() => NOW);
  const { clientId, clientSecret } = StravaStandIn.CLIENT;
  const stack = await startStack({
    ...options,
    strava: { endpoints: strava.endpoints, allowPrivate: ['127.0.0.1'] },
    environment: {
      FITNESS_KEY: Buffer.alloc(32, 7).toString('base64'),
      FITNESS_STRAVA_CLIENT_ID: clientId,
      FITNESS_STRAVA_CLIENT_SECRET: clientSecret,
      ...environment,
    },
  });
  return {
    ...stack,
    strava,
    close: async () => {
      await stack.close();
      await strava[Symbol.asyncDispose]();
    },
  };
}

/** Opens an address as a browser does: Strava redirects it to the callback. Returns the text of the last page. */
export async function browse(url: string): Promise<string> {
  return (await fetch(url)).text();
}
