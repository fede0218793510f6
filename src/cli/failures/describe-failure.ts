import { isObject } from '../../base/is-object.ts';
import { LinkError } from '../../client/link.ts';
import { RpcFailure } from '../../client/rpc-client.ts';
import { MCP_MISSING_CLIENT_CAPABILITY } from '../../errors/codes.ts';
import { ToolwrightError } from '../../errors/errors.ts';
import { toShownFailure } from '../../errors/log-thrown.ts';
import { errorInFlags } from '../openapi/plan/in-flags.ts';
import { EXIT_CODES, UsageError } from '../terminal/command.ts';
import type { Command } from '../terminal/command.ts';
import { UnansweredError } from '../target/answers.ts';

/** The message of a failed command, and its exit code. */
export interface CommandFailure {
  readonly message: string;
  readonly code: number;
}

const ANSWER_HINT = 'Add --answer name=value for each field, or run the command in a terminal.';

/** Describes an error in the words of the command line. `flags` are those of the command. */
export function describeFailure(error: unknown, flags: Command['flags']): CommandFailure {
  const { usage, failed, unavailable } = EXIT_CODES;
  if (error instanceof UsageError) return { message: error.message, code: usage.code };
  if (error instanceof RpcFailure) {
    const hint = needsAnswers(error) && 'answer' in flags ? ` ${ANSWER_HINT}` : '';
    return { message: `${error.message} (${error.code})${hint}`, code: failed.code };
  }
  if (error instanceof UnansweredError) return { message: error.message, code: failed.code };
  if (error instanceof ToolwrightError)
    return { message: errorInFlags(error, flags), code: unavailable.code };
  if (error instanceof LinkError) return { message: error.message, code: unavailable.code };
  return { message: toShownFailure(error), code: unavailable.code };
}

/** Whether a request failed because this client did not declare elicitation. */
function needsAnswers({ code, data }: RpcFailure): boolean {
  const required = isObject(data) ? data['requiredCapabilities'] : undefined;
  return code === MCP_MISSING_CLIENT_CAPABILITY && isObject(required) && 'elicitation' in required;
}
