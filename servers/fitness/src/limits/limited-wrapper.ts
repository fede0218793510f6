import { createSecurityWrapper } from 'toolwright/collaborators';
import type { SecurityWrapperOptions, WithSecurityWrapper } from 'toolwright/collaborators';
import type { CallLimits } from './call-limits.ts';

/**
 * The security wrapper of Toolwright, with the limits of plans instead of its own. A call is counted before its arguments are validated. A
 * call whose store fails is rejected.
 */
export function createLimitedWrapper(
  limits: CallLimits,
  options: Pick<SecurityWrapperOptions, 'logger' | 'clock'> = {},
): WithSecurityWrapper {
  const validated = createSecurityWrapper({ ...options, rateLimit: false });
  return (namespace, operation, schema) => {
    const wrapper = validated(namespace, operation, schema);
    return async (call, run) => {
      const error = await limits.count(call);
      return error === undefined ? wrapper(call, run) : { kind: 'failed', error };
    };
  };
}
