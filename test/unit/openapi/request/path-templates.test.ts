import { describe, expect, test } from 'vitest';
import { parameter, planOf, targetOf, useRecorder } from './recorder.ts';

const recorder = useRecorder();
const inPath = (...names: string[]): ReturnType<typeof parameter>[] =>
  names.map((name) => parameter('path', name));

describe('variables', () => {
  test.each([
    ['/{a}.{b}', { a: 'x', b: 'json' }, '/x.json'],
    ['/{a}-{b}/z', { a: 1, b: 2 }, '/1-2/z'],
    ['/{a}{b}', { a: 1, b: 2 }, '/12'],
    ['/{a}/x/{a}', { a: 'q' }, '/q/x/q'],
    ['/{user-id}/{user.id}/{$expand}', { 'user-id': 1, 'user.id': 2, $expand: 3 }, '/1/2/3'],
    ['/{__proto__}/{constructor}', JSON.parse('{"__proto__": 1, "constructor": 2}'), '/1/2'],
    ['/{id}:cancel', { id: 5 }, '/5:cancel'],
    ['/x/{id}/', { id: 5 }, '/x/5/'],
  ])('%s', async (path, input: Record<string, unknown>, target) => {
    expect(targetOf(await recorder.send(planOf(path, inPath(...Object.keys(input))), input))).toBe(target);
  });

  test.each(['/{+name}', '/{name+}', '/{name*}', '/{name?}'])(
    '%s names the parameter that it means',
    async (path) => {
      expect(targetOf(await recorder.send(planOf(path, inPath('name')), { name: 'x' }))).toBe('/x');
    },
  );

  test('the argument may have another name than the parameter', async () => {
    const plan = planOf('/{id}', [{ ...parameter('path', 'id'), argument: 'path_id' }]);
    expect(targetOf(await recorder.send(plan, { id: 'wrong', path_id: 'right' }))).toBe('/right');
    await expect(recorder.send(plan, { id: 'wrong' })).rejects.toThrow('The value of "path_id" cannot');
  });
});

describe('text of a template', () => {
  test.each([
    ['/a b/\u00E4', '/a%20b/%C3%A4'],
    ['/a%20b/%2F', '/a%20b/%2F'],
    ['/100%/x', '/100%25/x'],
    ['/a|b^c"d`e<f>g', '/a%7Cb%5Ec%22d%60e%3Cf%3Eg'],
    ['/a\\b', '/a%5Cb'],
    ["/a:b@c!d$e&f'g(h)i*j+k,l;m=n", "/a:b@c!d$e&f'g(h)i*j+k,l;m=n"],
    ['/a[0]', '/a%5B0%5D'],
    ['//a//b/', '//a//b/'],
    ['no/slash', '/no/slash'],
    ['/...', '/...'],
  ])('%s is sent as %s', async (path, target) => {
    expect(targetOf(await recorder.send(planOf(path), {}))).toBe(target);
  });
});

describe('a query in the path', () => {
  test('is kept, in front of the parameters', async () => {
    const plan = planOf('/x?action=y&flag&z=a b%20c', [parameter('query', 'q')]);
    expect(targetOf(await recorder.send(plan, { q: 1 }))).toBe('/x?action=y&flag&z=a%20b%20c&q=1');
  });

  test('takes parameters of the path, encoded', async () => {
    const plan = planOf('/x/{id}?a={a}&b=1', inPath('id', 'a'));
    expect(targetOf(await recorder.send(plan, { id: 1, a: '&c=/#' }))).toBe('/x/1?a=%26c%3D%2F%23&b=1');
    await expect(recorder.send(plan, { id: 1 })).rejects.toThrow('The argument "a" is missing');
  });

  test('leaves parameters of the query to themselves', async () => {
    const plan = planOf('/x?a={a}&b=1', [parameter('query', 'a')]);
    expect(targetOf(await recorder.send(plan, { a: [1, 2] }))).toBe('/x?b=1&a=1&a=2');
    expect(targetOf(await recorder.send(plan, {}))).toBe('/x?b=1');
  });

  test('may have a question mark of its own', async () => {
    expect(targetOf(await recorder.send(planOf('/x?a=b?c'), {}))).toBe('/x?a=b?c');
  });

  test('ends where a fragment begins, which is never sent', async () => {
    expect(targetOf(await recorder.send(planOf('/x?a=b#c'), {}))).toBe('/x?a=b');
    expect(targetOf(await recorder.send(planOf('/x#Action=List&a=b?c'), {}))).toBe('/x');
    expect(targetOf(await recorder.send(planOf('/#acl'), {}))).toBe('/');
  });
});

describe('the base', () => {
  test.each([
    ['', '/x', '/x'],
    ['/', '/x', '/x'],
    ['/v1', '/x', '/v1/x'],
    ['/v1/', '/x', '/v1/x'],
    ['/v1/', 'x', '/v1/x'],
    ['/v1', '/', '/v1/'],
    ['/v1', '', '/v1'],
    ['/v1/', '', '/v1/'],
    ['', '', '/'],
    ['/a b/%7Ec', '/x', '/a%20b/%7Ec/x'],
    ['/v1?key=1', '/x', '/v1/x?key=1'],
    ['/v1?key=1', '/x?a=2', '/v1/x?key=1&a=2'],
    ['/v1#part', '/x', '/v1/x'],
  ])('%j and %j are %s', async (baseUrl, path, target) => {
    expect(targetOf(await recorder.send(planOf(path), {}, { baseUrl }))).toBe(target);
  });
});
