/** Context of a hint. */
export interface HintContext {
  /** Where credentials are set: `the option "auth"`. */
  readonly credentialSetting: string | undefined;
  /** Authentication scheme that the server requires, such as `Bearer`. */
  readonly scheme: string | undefined;
  /** Time to wait, such as `2 minutes`. */
  readonly wait: string | undefined;
}

/** Hint for a caller, by status. */
export function hintFor(status: number, context: HintContext): string {
  const wait = context.wait === undefined ? '' : ` Try again in ${context.wait}.`;
  if (status === 401) return describeCredentials(context);
  const hint = HINTS.get(status) ?? (status >= 500 ? TROUBLE : REFUSED);
  if (wait === '') return status === 429 ? `${hint} Wait before trying again.` : hint;
  return hint === TROUBLE ? `The API has trouble.${wait}` : `${hint}${wait}`;
}

const TROUBLE = 'The API has trouble. Try again later.';
const REFUSED = 'The API rejected the request.';
const CHECK = 'Check the arguments against what the API says.';

const HINTS: ReadonlyMap<number, string> = new Map([
  [400, CHECK],
  [402, 'The API requires payment for this.'],
  [403, 'The credentials of this server do not allow this.'],
  [404, 'The id or another part of the address may be wrong, or the credentials may not see it.'],
  [405, 'The API does not allow this operation here, or not in the present state.'],
  [406, 'The API cannot respond in a requested format.'],
  [408, 'The API waited too long for the request. Try again.'],
  [409, 'This conflicts with the present state: read it again, then decide.'],
  [410, 'This is gone for good; do not request it again.'],
  [412, 'A precondition does not hold, such as a version that has changed: read it again, then decide.'],
  [413, 'The request is too large: send less.'],
  [414, 'The arguments are too long for an address: send less.'],
  [415, 'The API does not accept content of this type.'],
  [422, CHECK],
  [423, 'This is locked at the moment.'],
  [428, 'The API requires a precondition, such as the version that is to be changed.'],
  [429, 'Too many requests.'],
  [501, 'The API does not offer this operation.'],
]);

function describeCredentials({ credentialSetting, scheme }: HintContext): string {
  const wanted = scheme === undefined ? '' : ` The API asks for ${scheme}.`;
  const where = credentialSetting === undefined ? 'the settings of this server' : credentialSetting;
  return `The credentials for the API are missing, wrong or expired; they come from ${where}. Other arguments do not help.${wanted}`;
}
