/** `toolwright/testing`: an in-process client for tests of your tools, prompts and resources. */
export { connectTestClient, TestClient, TestProtocolError } from './testing/test-client.ts';
export type {
  TestCallOptions,
  TestClientOptions,
  TestPrompt,
  TestReference,
  TestResource,
  TestResult,
} from './testing/test-client.ts';
export type {
  TestAnswerers,
  TestElicitation,
  TestElicitationAnswer,
  TestSampling,
} from './testing/test-dialogue.ts';
export { createTestIssuer } from './testing/test-issuer.ts';
export type { TestIssuer, TestIssuerOptions, TestTokenOptions } from './testing/test-issuer.ts';
