/** `toolwright/testing`: an in-process client for tests of your tools. */
export { connectTestClient, TestClient, TestProtocolError } from './testing/test-client.ts';
export type { TestCallOptions, TestClientOptions, TestResult } from './testing/test-client.ts';
