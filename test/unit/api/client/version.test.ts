import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { VERSION } from '../../../../src/api/client/version.ts';

it('the client names the version of its package', () => {
  const manifest = readFileSync(join(import.meta.dirname, '../../../../package.json'), 'utf8');
  expect(VERSION).toBe((JSON.parse(manifest) as { version: string }).version);
});
