import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { READ_TABLES } from '../../../../src/cli/verify/full-sight.ts';
import { connectToVerify } from '../../../../src/cli/verify/reader.ts';
import { UnusableInput } from '../../../../src/cli/verify/unusable-input.ts';
import { verify, type VerifyDeps } from '../../../../src/cli/verify/verify.ts';
import {
  startVerifyCluster,
  type VerifyCluster,
} from '../../../support/cli/verify/verify-cluster.ts';

let cluster: VerifyCluster;
beforeAll(async () => {
  cluster = await startVerifyCluster();
});
afterAll(() => cluster.stop());

async function judge(url: string) {
  const connection = await connectToVerify(url);
  const deps: VerifyDeps = {
    connection,
    clientLog: null,
    isWorkflowOpen: null,
    startGraceSeconds: 0,
    chains: null,
  };
  try {
    return await verify(deps);
  } finally {
    await connection.close();
  }
}

describe('zero rows seen never count as zero violations', () => {
  it('so a member of causeway_system sees exactly what a superuser sees', async () => {
    const url = await cluster.copy('UPDATE balances SET pending = 5');
    const operator = await cluster.loginAs(url, (user) => `GRANT causeway_system TO ${user}`);
    const seen = await judge(operator);
    expect(seen).toEqual(await judge(url));
    expect(seen.find((verdict) => verdict.id === 'I5')?.status).toBe('violated');
  });

  it("so the service's own role is refused", async () => {
    const url = await cluster.copy();
    const service = await cluster.loginAs(url, (user) => `GRANT causeway_app TO ${user}`);
    await expect(judge(service)).rejects.toThrow(UnusableInput);
  });

  it('so a login with rights on every table but bound by row-level security is refused', async () => {
    const url = await cluster.copy();
    const reader = await cluster.loginAs(
      url,
      (user) => `GRANT SELECT ON ALL TABLES IN SCHEMA public TO ${user}`,
    );
    await expect(judge(reader)).rejects.toThrow(UnusableInput);
  });

  it('so a login that row-level security does not bind may look', async () => {
    const url = await cluster.copy();
    const auditor = await cluster.loginAs(
      url,
      (user) => `GRANT pg_read_all_data TO ${user}; ALTER ROLE ${user} BYPASSRLS`,
    );
    expect(await judge(auditor)).toEqual(await judge(url));
  });

  it.each([
    ['lost the policy that shows it', 'DROP POLICY system_sees_all ON balances'],
    [
      'got a policy that hides some',
      'CREATE POLICY hides ON balances AS RESTRICTIVE TO causeway_system USING (false)',
    ],
    [
      'shows only one environment',
      "ALTER POLICY system_sees_all ON balances USING (environment = 'live')",
    ],
  ])('so causeway_system is refused where a table %s', async (_what, breach) => {
    const url = await cluster.copy(breach);
    const operator = await cluster.loginAs(url, (user) => `GRANT causeway_system TO ${user}`);
    await expect(judge(operator)).rejects.toThrow(/does not see every row of balances/);
  });

  it('so a database that was never migrated is refused', async () => {
    await expect(judge(cluster.emptyUrl)).rejects.toThrow(/lacks payments/);
  });

  it.each([
    ['does not answer', 'postgres://postgres@127.0.0.1:1/causeway'],
    ['is no address', 'not a url'],
  ])('so a database that %s is refused', async (_what, url) => {
    await expect(judge(url)).rejects.toThrow(UnusableInput);
  });
});

it('every table that a rule names is one whose rows are seen', () => {
  const textsOf = (folder: string): string =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(?:ts|sql)$/.test(name))
      .map((name) => readFileSync(`${folder}/${name}`, 'utf8'))
      .join('\n');
  const wordsAfter = (text: string, pattern: RegExp): string[] =>
    [...text.matchAll(pattern)].map(([, name = '']) => name);
  const tables = new Set(
    wordsAfter(textsOf('src/db/schema/migrations'), /CREATE TABLE ([a-z_]+)/g),
  );
  const named = new Set(wordsAfter(textsOf('src/cli/verify'), /\b(?:FROM|JOIN) ([a-z_]+)/g));
  const unseen = [...named].filter((name) => tables.has(name)).filter((name) => !isRead(name));
  expect(unseen).toEqual([]);
});

const isRead = (name: string): boolean => READ_TABLES.some((table) => table === name);
