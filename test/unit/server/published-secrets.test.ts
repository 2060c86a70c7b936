import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../../../src/server/config/config.ts';
import { readOwnerUrl } from '../../../src/server/config/database-config.ts';
import type { Env } from '../../../src/server/config/settings.ts';
import { SAMPLE_KEYS, sampleKey } from '../../support/sample-secrets.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
const NEEDED = {
  DATABASE_URL: 'postgres://localhost/causeway',
  ...SAMPLE_KEYS,
  TEST_BANK_URL: 'https://bank.example',
  TEST_BANK_CALLBACK_SECRET: `whsec_${sampleKey('bank')}`,
};
const problemsOf = (env: Record<string, string>, read: (env: Env) => unknown = readConfig) => {
  try {
    read({ ...NEEDED, ...env });
  } catch (error) {
    return (error as Error).message;
  }
  return '';
};

/** The values that docker-compose.yml and deploy/postgres/init.sql had as defaults. */
const ONCE_IN_COMPOSE = [
  ['ENCRYPTION_KEYS', '1:ZGV2ZWxvcG1lbnQtb25seS1lbmNyeXB0aW9uLWtleSE='],
  ['PEPPER', 'ZGV2ZWxvcG1lbnQtb25seS1wZXBwZXItb2Yta2V5cyE='],
  ['TEST_BANK_CALLBACK_SECRET', 'whsec_ZGV2ZWxvcG1lbnQtb25seS1iYW5rLWNhbGxiYWNrcyE='],
  ['TEST_BANK_CALLBACK_SECRET', 'ZGV2ZWxvcG1lbnQtb25seS1reWMtY2FsbGJhY2tzISE='],
  ['DATABASE_URL', 'postgres://causeway_service:development-only-service@postgres:5432/causeway'],
  ['SYSTEM_DATABASE_URL', 'postgres://postgres:development-only-superuser@postgres/causeway'],
] as const;

/** The files of the repository, without asking git. */
function listFiles(): string[] {
  const ignored = readFileSync(join(ROOT, '.gitignore'), 'utf8').split('\n');
  const isOurs = (name: string) => !ignored.includes(`${name}/`) && name !== '.git';
  return readdirSync(ROOT, { withFileTypes: true }).flatMap((entry) => {
    if (!entry.isDirectory()) return [entry.name];
    if (!isOurs(entry.name)) return [];
    const below = readdirSync(join(ROOT, entry.name), { recursive: true, withFileTypes: true });
    return below
      .filter((one) => one.isFile())
      .map((one) => relative(ROOT, join(one.parentPath, one.name)));
  });
}

/** Every text in the repository that has the form of a webhook secret or of an encryption key. */
function publishedInFiles(): (readonly [name: string, value: string])[] {
  return listFiles()
    .filter((file) => /\.(ts|yml|json|md|sql|sh)$/.test(file) && !file.includes('/histories/'))
    .flatMap((file) => {
      const text = readFileSync(join(ROOT, file), 'utf8');
      const secrets = text.match(/whsec_[A-Za-z0-9+/]{32,}={0,2}/g) ?? [];
      const keys = text.match(/\b[0-9]{1,3}:[A-Za-z0-9+/]{43}=/g) ?? [];
      return [
        ...secrets.map((value) => ['TEST_BANK_CALLBACK_SECRET', value] as const),
        ...keys.map((value) => ['ENCRYPTION_KEYS', value] as const),
      ];
    });
}

describe('secrets that are published', () => {
  it('are not what a program needs: it starts with secrets of its own', () => {
    expect(problemsOf({})).toBe('');
  });

  it.each(ONCE_IN_COMPOSE)(
    'stop the start where docker-compose.yml had them: %s=%s',
    (name, value) => {
      const message = problemsOf({ [name]: value });
      expect(message).toContain(`${name} must not be a published sample`);
      expect(message).not.toContain(value);
    },
  );

  it('stop the start where any file of the repository has them', () => {
    const published = publishedInFiles();
    expect(published.length).toBeGreaterThanOrEqual(3);
    const taken = published.filter(([name, value]) => problemsOf({ [name]: value }) === '');
    expect(taken).toEqual([]);
  });

  it.each([
    ['ENCRYPTION_KEYS', `1:${sampleKey('one')},2:${Buffer.alloc(32, 7).toString('base64')}`],
    ['PEPPER', Buffer.alloc(64, 'abc').toString('base64')],
    ['PEPPER', `${Buffer.alloc(64, 'abc').toString('base64')}:retired,1:${sampleKey('one')}`],
  ])('include keys of a few repeated bytes, as samples have them: %s', (name, value) => {
    expect(problemsOf({ [name]: value })).toContain(`${name} must not be a published sample`);
  });

  it('stop migrate as well', () => {
    const url = 'postgres://causeway_owner:development-only-owner@postgres:5432/causeway';
    expect(problemsOf({ DATABASE_URL: url }, readOwnerUrl)).toContain('DATABASE_URL must not be');
  });
});
