import { describe, expect, test } from 'vitest';
import { MissingCapabilityError } from '../../../src/errors/errors.ts';
import { assertCapable, isCapable } from '../../../src/middleware/client-capabilities.ts';
import type { ClientCapabilities, ClientDescription } from '../../../src/middleware/dialogue.ts';

function clientWith(capabilities: ClientCapabilities): ClientDescription {
  return { name: 'client', version: '1', capabilities, protocolVersion: '2026-07-28' };
}

const FORM = { elicitation: { form: {} } };
const URL_MODE = { elicitation: { url: {} } };
const TASKS = 'io.modelcontextprotocol/tasks';

describe('a client is capable of what it has declared', () => {
  test.each<[ClientCapabilities, object, boolean]>([
    [{}, FORM, false],
    // A client without a mode is older than the modes and supports forms.
    [{ elicitation: {} }, FORM, true],
    [{ elicitation: {} }, URL_MODE, false],
    [{ elicitation: { form: {} } }, FORM, true],
    [{ elicitation: { form: {} } }, URL_MODE, false],
    [{ elicitation: { url: {} } }, FORM, false],
    [{ elicitation: { url: {} } }, URL_MODE, true],
    [{ elicitation: { form: {}, url: {} } }, URL_MODE, true],
    [{ elicitation: {} }, { elicitation: {} }, true],
    [{}, { sampling: {} }, false],
    [{ sampling: {} }, { sampling: {} }, true],
    [{ sampling: {} }, { sampling: { tools: {} } }, false],
    [{ sampling: { tools: {} } }, { sampling: { tools: {} } }, true],
    [{ sampling: {} }, { roots: {} }, false],
    [{ roots: { listChanged: true } }, { roots: {} }, true],
    [{ extensions: { [TASKS]: {} } }, { extensions: { [TASKS]: {} } }, true],
    [{ extensions: {} }, { extensions: { [TASKS]: {} } }, false],
    [{ sampling: {} }, { sampling: {}, roots: {} }, false],
    [{}, {}, true],
    // Inherited members are not declared capabilities.
    [{}, { constructor: {} }, false],
    [{}, JSON.parse('{"__proto__":{}}') as object, false],
    [{ elicitation: {} }, { elicitation: { toString: {} } }, false],
    // A client may send a value that is not an object.
    [{ sampling: true } as unknown as ClientCapabilities, { sampling: {} }, false],
    [{ elicitation: null } as unknown as ClientCapabilities, FORM, false],
    [{ elicitation: 'form' } as unknown as ClientCapabilities, FORM, false],
  ])('%j for %j: %s', (capabilities, needs, expected) => {
    expect(isCapable(clientWith(capabilities), needs as Record<string, unknown>)).toBe(expected);
  });

  test('and who asks for more is refused, with what is missing', () => {
    assertCapable(clientWith({ sampling: {} }), { sampling: {} });
    let thrown: unknown;
    try {
      assertCapable(clientWith({ elicitation: { url: {} } }), FORM);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(MissingCapabilityError);
    expect(thrown).toMatchObject({
      code: 'MISSING_CLIENT_CAPABILITY',
      message: 'Missing client capability: elicitation.',
      requiredCapabilities: { elicitation: { form: {} } },
    });
  });
});
