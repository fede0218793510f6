const PASSED = ['PATH', 'HOME', 'LANG', 'TMPDIR'];

/**
 * The environment of a test process: a list of names, not the environment of the server. So secrets of the server, and settings such as
 * `PYTEST_ADDOPTS` that would change the run, reach the tests only if `allowed` names them.
 */
export function createChildEnvironment(
  environment: NodeJS.ProcessEnv,
  allowed: readonly string[],
): Record<string, string> {
  const names = [...PASSED, ...allowed];
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = environment[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}
