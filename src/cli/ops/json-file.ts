import { readFileSync } from 'node:fs';
import type { Static, TSchema } from 'typebox';
import { Value } from 'typebox/value';
import { PlainError } from '../../server/runtime/plain-error.ts';

const LINES_MAX = 20;

/** The JSON of a file. Throws PlainError where there is none. */
export function readJson(path: string): unknown {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    throw new PlainError(`${path} cannot be read.`);
  }
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new PlainError(`${path} is not JSON.`);
  }
}

/** The same value, if it fits the schema. Throws PlainError with a line a problem, without any value. */
export function requireShape<Schema extends TSchema>(
  schema: Schema,
  value: unknown,
  path: string,
): Static<Schema> {
  if (Value.Check(schema, value)) return value;
  const lines = [...Value.Errors(schema, value)].map(
    ({ instancePath, message }) => `${instancePath === '' ? '/' : instancePath} ${message}`,
  );
  const shown = [...new Set(lines)].slice(0, LINES_MAX);
  throw new PlainError([`${path} is not valid:`, ...shown].join('\n'));
}
