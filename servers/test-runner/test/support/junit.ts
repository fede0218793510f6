import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** An element of pytest's JUnit XML. */
export interface JunitCase {
  readonly classname: string;
  readonly name: string;
  /** The elements in it, such as `failure`, with their `type`. */
  readonly children: readonly (readonly [tag: string, type: string | null])[];
}

/** The parser of Python's library; its output is JSON. */
const PARSE = `
import json, sys, xml.etree.ElementTree as tree
print(json.dumps([
    {
        "classname": case.get("classname"),
        "name": case.get("name"),
        "children": [[child.tag, child.get("type")] for child in case if child.tag in ("failure", "error", "skipped")],
    }
    for case in tree.parse(sys.argv[1]).iter("testcase")
]))
`;

export async function readJunit(python: string, file: string): Promise<readonly JunitCase[]> {
  const { stdout } = await promisify(execFile)(python, ['-c', PARSE, file], { maxBuffer: 64_000_000 });
  return JSON.parse(stdout) as readonly JunitCase[];
}

/** The name of a test in JUnit XML, as pytest derives it from a node id. */
export function toJunitName(nodeId: string): string {
  const bracket = nodeId.indexOf('[');
  const [address, parameters] =
    bracket === -1 ? [nodeId, ''] : [nodeId.slice(0, bracket), nodeId.slice(bracket)];
  const [file = '', ...names] = address.split('::');
  return [file.replaceAll('/', '.').replace(/\.py$/, ''), ...names].join('.') + parameters;
}
