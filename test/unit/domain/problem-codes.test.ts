import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { FIELD_CODE_NAMES } from '../../../src/domain/errors/problem-codes.ts';
import { ERROR_CODES } from '../../../src/domain/errors/registry.ts';
import { ROOT } from '../../support/docs/markdown.ts';

// That no other code is made is held by the type of a problem.
it('every code that is told of details is made somewhere, and is no error of its own', () => {
  const folder = join(ROOT, 'src');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file))
    .filter((file) => !/problem-codes\.ts$|^client|^docs-site/.test(file));
  const source = files.map((file) => readFileSync(join(folder, file), 'utf8')).join('\n');
  expect(FIELD_CODE_NAMES.filter((code) => !source.includes(`'${code}'`))).toEqual([]);
  const errors: readonly string[] = ERROR_CODES;
  expect(FIELD_CODE_NAMES.filter((code) => errors.includes(code))).toEqual([]);
});
