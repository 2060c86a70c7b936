import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { READ_PERMISSIONS } from '../../../../src/domain/customers/keys/permissions.ts';
import { addCustomer } from '../../../support/test-customer.ts';
import { createOpsHarness, type OpsHarness } from '../../../support/cli/ops/ops-harness.ts';

let harness: OpsHarness;
let customer: string;
beforeAll(async () => {
  harness = await createOpsHarness();
  customer = await harness.database.db.system((tx) => addCustomer(tx));
});
afterAll(() => harness.close());

const add = (...options: string[]) =>
  harness.run(
    ...['keys', 'add', '--customer', customer, '--environment', 'test'],
    ...['--operator', 'ada', ...options],
  );

async function scopesOf(name: string) {
  const [row] = await harness.database.db.system((tx) =>
    tx.query<{ scopes: string[]; audited: string[] }>(
      `SELECT k.scopes, ARRAY(SELECT jsonb_array_elements_text(a.details -> 'scopes')) AS audited
       FROM api_keys k JOIN audit_log a ON a.subject = k.id AND a.action = 'api_key.created'
       WHERE k.name = $1`,
      [name],
    ),
  );
  return row;
}

describe('keys add', () => {
  it.each<[string, string[], readonly string[]]>([
    ['everything', [], ['*']],
    ['reads', ['--read-only'], READ_PERMISSIONS],
    [
      'picked',
      ['--scope', 'payments:write', '--scope', 'fx-rates:read', '--scope', 'payments:write'],
      ['payments:write', 'fx-rates:read'],
    ],
  ])(
    'a key for %s carries what was asked for, and the audit log says so',
    async (name, options, scopes) => {
      const { code, printed } = await add('--name', name, ...options);
      expect([code, printed]).toEqual([0, expect.stringContaining('cw_test_')]);
      expect(await scopesOf(name)).toEqual({ scopes, audited: scopes });
    },
  );

  it.each([
    ['payments'],
    ['payments:delete'],
    ['PAYMENTS:READ'],
    ['payments:read,payments:write'],
    [''],
  ])('the scope %j is refused by the names that there are', async (scope) => {
    const { code, error } = await add('--name', 'refused', '--scope', scope);
    expect(code).toBe(2);
    expect(error).toContain('payments:read, payments:write');
    expect(await scopesOf('refused')).toBeUndefined();
  });

  it('--read-only and a picked scope contradict each other', async () => {
    const both = await add('--name', 'both', '--read-only', '--scope', 'payments:write');
    expect(both.code).toBe(2);
    expect(both.error).toContain('--read-only');
    expect(await scopesOf('both')).toBeUndefined();
  });
});
