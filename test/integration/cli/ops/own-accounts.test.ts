import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { disableBankAccount } from '../../../../src/modules/parties/bank-accounts/disable-bank-account.ts';
import type { Environment, Scope } from '../../../../src/domain/scope.ts';
import { OWN_COMPANY } from '../../../support/own-entity.ts';
import { addCustomer } from '../../../support/test-customer.ts';
import {
  createOpsHarness,
  NOW,
  type OpsHarness,
  type Outcome,
} from '../../../support/cli/ops/ops-harness.ts';

const ADA = ['--reason', 'the contract names it', '--operator', 'Ada'];
const BEN = ['--reason', 'called the company', '--operator', 'Ben'];
const IBAN = 'DE89370400440532013000';

let folder: string;
let harness: OpsHarness;
let scope: Scope;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'causeway-own-'));
  harness = await createOpsHarness();
});
afterAll(async () => {
  await harness.close();
  rmSync(folder, { recursive: true });
});
beforeEach(async () => {
  const customerId = await harness.database.db.system((tx) => addCustomer(tx));
  scope = { customerId, environment: 'live' };
});

const rows = <Row extends object>(sql: string, ...values: unknown[]) =>
  harness.database.db.system((tx) => tx.query<Row>(sql, values));

/** Runs a command of `customers` with a file of this content. */
function withFile(
  command: string,
  content: unknown,
  { environment = 'live', by = ADA }: { environment?: Environment; by?: string[] } = {},
): Promise<Outcome> {
  const file = join(folder, 'given.json');
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  const where = ['--customer', scope.customerId, '--environment', environment, '--file', file];
  return harness.run('customers', command, ...where, ...by);
}
const setEntity = (business: object = OWN_COMPANY, more?: { environment: Environment }) =>
  withFile('set-own-entity', { type: 'BUSINESS', business }, more);
const ACCOUNT = {
  ...{ country: 'DE', currency: 'EUR', rail: 'SEPA', details: { iban: IBAN } },
  ...{ holderName: 'Sample Ltd', holderType: 'BUSINESS' },
};
async function propose(account: object = ACCOUNT) {
  const outcome = await withFile('add-own-account', account);
  const accountId = /ba_\w+/.exec(outcome.printed)?.[0] ?? '';
  return { ...outcome, accountId, approvalId: /apr_\w+/.exec(outcome.printed)?.[0] ?? '' };
}
const approve = (id: string, by = 'Ben') => harness.operators.approve(id, by, 'Ada');
async function standing(id: string): Promise<{ status: string; version: number } | undefined> {
  const [row] = await rows<{ status: string; version: number }>(
    'SELECT status, version FROM bank_accounts WHERE id = $1',
    id,
  );
  const events = await rows('SELECT FROM events WHERE resource_id = $1', id);
  expect(events).toHaveLength(row?.version ?? 0);
  return row;
}

describe('customers set-own-entity', () => {
  it('makes one end-user that is the customer itself, and changes it when it is run again', async () => {
    const made = await setEntity();
    expect(made.code, made.error).toBe(0);
    expect((await setEntity({ ...OWN_COMPANY, legalName: 'Renamed Ltd' })).code).toBe(0);
    expect(
      await rows(
        `SELECT relationship, type, version, identity_version FROM end_users WHERE customer_id = $1`,
        scope.customerId,
      ),
    ).toEqual([{ relationship: 'SELF', type: 'BUSINESS', version: 2, identity_version: 2 }]);
    const id = /eu_\w+/.exec(made.printed)?.[0] ?? '';
    expect(
      await rows('SELECT actor, action FROM audit_log WHERE subject = $1 ORDER BY id', id),
    ).toEqual([
      { actor: 'operator:Ada', action: 'own_entity.create' },
      { actor: 'operator:Ada', action: 'own_entity.update' },
    ]);
    expect(await rows('SELECT type FROM events WHERE resource_id = $1 ORDER BY seq', id)).toEqual([
      { type: 'end_user.created' },
      { type: 'end_user.updated' },
    ]);
  });

  it('makes one, however many run at once, and another one in the other environment', async () => {
    const outcomes = await Promise.all([setEntity(), setEntity(), setEntity()]);
    expect(outcomes.filter(({ code }) => code === 0).length).toBeGreaterThanOrEqual(1);
    expect((await setEntity(OWN_COMPANY, { environment: 'test' })).code).toBe(0);
    expect(
      await rows(
        'SELECT environment FROM end_users WHERE customer_id = $1 ORDER BY environment',
        scope.customerId,
      ),
    ).toEqual([{ environment: 'live' }, { environment: 'test' }]);
  });

  it.each([
    ['no JSON', 'name=Sample', 'is not JSON'],
    [
      'a person',
      { type: 'INDIVIDUAL', individual: OWN_COMPANY.persons[0] },
      'does not describe a BUSINESS',
    ],
    ['what the API would not take', { type: 'BUSINESS', business: {} }, '/business'],
    [
      'a restricted country',
      { type: 'BUSINESS', business: { ...OWN_COMPANY, incorporationCountry: 'KP' } },
      'country_restricted',
    ],
  ])('refuses %s', async (_, content, said) => {
    const { code, error } = await withFile('set-own-entity', content);
    expect(code).toBe(1);
    expect(error).toContain(said);
    expect(await rows('SELECT FROM end_users WHERE customer_id = $1', scope.customerId)).toEqual(
      [],
    );
  });

  it('knows no customer that was not taken on', async () => {
    scope = { ...scope, customerId: 'cus_none' };
    expect((await setEntity()).error).toBe('There is no such customer.');
  });
});

describe('customers add-own-account', () => {
  beforeEach(async () => {
    expect((await setEntity()).code).toBe(0);
  });

  it('is proposed by one operator and ACTIVE by another, with events and audit rows', async () => {
    const { code, error, accountId, approvalId } = await propose();
    expect(code, error).toBe(0);
    expect(await standing(accountId)).toEqual({ status: 'PENDING', version: 1 });
    const approved = await approve(approvalId);
    expect(approved.code, approved.error).toBe(0);
    expect(await standing(accountId)).toEqual({ status: 'ACTIVE', version: 2 });
    expect(
      await rows('SELECT type FROM events WHERE resource_id = $1 ORDER BY seq', accountId),
    ).toEqual([{ type: 'bank_account.created' }, { type: 'bank_account.activated' }]);
    expect(
      await rows('SELECT actor, action FROM audit_log WHERE subject = $1 ORDER BY id', accountId),
    ).toEqual([
      { actor: 'operator:Ada', action: 'own_account.add' },
      {
        actor: `operator:${await harness.operators.operator('Ben')}`,
        action: 'own_account.activate',
      },
    ]);
  });

  it('is not approved by the one who proposed it, nor twice', async () => {
    const { accountId, approvalId } = await propose();
    const same = await approve(approvalId, 'Ada');
    expect(same.error).toBe(
      'You proposed this, so you cannot approve it. Another operator must approve it.',
    );
    expect(await standing(accountId)).toMatchObject({ status: 'PENDING' });
    const twice = await Promise.all([approve(approvalId), approve(approvalId)]);
    expect(twice.map(({ code }) => code).sort()).toEqual([0, 1]);
    expect(await standing(accountId)).toEqual({ status: 'ACTIVE', version: 2 });
  });

  it('stays PENDING where the second operator refuses', async () => {
    const { accountId, approvalId } = await propose();
    expect((await harness.operators.refuse(approvalId)).code).toBe(0);
    expect((await approve(approvalId)).code).toBe(1);
    expect(await standing(accountId)).toEqual({ status: 'PENDING', version: 1 });
  });

  it('is void once the account was disabled', async () => {
    const { accountId, approvalId } = await propose();
    const clock = { now: () => NOW };
    await harness.database.db.write(scope, (tx) =>
      disableBankAccount({ clock }, tx, scope, accountId, () => undefined),
    );
    expect((await approve(approvalId)).error).toBe(
      `The account ${accountId} cannot be activated. Its status is DISABLED. The approval is void.`,
    );
    expect(await standing(accountId)).toEqual({ status: 'DISABLED', version: 2 });
  });

  it('makes the same account ACTIVE once, however often it is proposed', async () => {
    const [first, second] = [
      await propose(),
      await propose({ ...ACCOUNT, holderName: 'Other Ltd' }),
    ];
    const outcomes = await Promise.all([approve(first.approvalId), approve(second.approvalId)]);
    expect(outcomes.map(({ code }) => code).sort()).toEqual([0, 1]);
    const again = await propose();
    expect(again.error).toContain('already has this account');
    expect(
      await rows(
        `SELECT FROM bank_accounts WHERE customer_id = $1 AND status = 'ACTIVE'`,
        scope.customerId,
      ),
    ).toHaveLength(1);
  });

  it('shows the second operator holder and digits, and writes down who looked', async () => {
    const { accountId } = await propose();
    const show = (id: string) => harness.run('customers', 'show-own-account', id, ...BEN);
    const { code, printed } = await show(accountId);
    expect(code).toBe(0);
    expect(printed).toContain(IBAN);
    expect(printed).toContain('Sample Ltd');
    expect(
      await rows(
        `SELECT actor FROM audit_log WHERE action = 'own_account.show' AND subject = $1`,
        accountId,
      ),
    ).toEqual([{ actor: 'operator:Ben' }]);
    expect((await show('ba_none')).code).toBe(1);
  });

  it('writes neither name nor digits into proposal, audit log or events', async () => {
    const { accountId, approvalId } = await propose();
    await approve(approvalId);
    const kept = await rows(
      `SELECT to_jsonb(a)::text FROM approvals a WHERE subject_id = $1
       UNION ALL SELECT to_jsonb(l)::text FROM audit_log l WHERE subject = $1
       UNION ALL SELECT to_jsonb(e)::text FROM events e WHERE resource_id = $1`,
      accountId,
    );
    expect(kept).toHaveLength(5);
    expect(JSON.stringify(kept)).not.toMatch(/Sample|3705?3000|0532013000|DE89/);
  });

  it.each([
    [
      'a wrong check digit',
      { ...ACCOUNT, details: { iban: 'DE88370400440532013000' } },
      '/details/iban',
    ],
    ['a field that there is not', { ...ACCOUNT, more: 1 }, '/'],
    ['a list', '[]', 'required properties country'],
  ])('refuses %s', async (_, account, said) => {
    const { code, error } = await withFile('add-own-account', account);
    expect(code).toBe(1);
    expect(error).toContain(said);
    expect(
      await rows('SELECT FROM bank_accounts WHERE customer_id = $1', scope.customerId),
    ).toEqual([]);
  });

  it('is for the customer itself, whatever end-user the file names', async () => {
    const { accountId } = await propose({ ...ACCOUNT, endUserId: 'eu_other' });
    const owners = await rows(
      `SELECT e.relationship FROM bank_accounts a JOIN end_users e ON e.id = a.end_user_id
       WHERE a.id = $1`,
      accountId,
    );
    expect(owners).toEqual([{ relationship: 'SELF' }]);
  });
});

it('no own account without an own entity', async () => {
  expect((await propose()).error).toContain('no own entity');
});

describe('the database alone refuses', () => {
  let accountId: string;
  let approvalId: string;
  beforeEach(async () => {
    await setEntity();
    ({ accountId, approvalId } = await propose());
  });
  const asApp = (sql: string, ...values: unknown[]) =>
    harness.database.db.write(scope, (tx) => tx.query(sql, values));
  const refused = (work: Promise<unknown>) => expect(work).rejects.toMatchObject({ code: '23514' });

  it('an own account made ACTIVE without an approval in use', async () => {
    const activate = `UPDATE bank_accounts SET status = 'ACTIVE', version = version + 1 WHERE id = $1`;
    await refused(asApp(activate, accountId));
    await harness.operators.refuse(approvalId);
    await refused(asApp(activate, accountId));
  });

  it('one made ACTIVE by the approval of another account', async () => {
    const other = await propose({ ...ACCOUNT, details: { iban: 'DE02120300000000202051' } });
    await harness.operators.approveOnly(other.approvalId);
    await refused(
      harness.database.people.write(scope, async (tx) => {
        await tx.query(
          `INSERT INTO approval_uses (approval_id, customer_id, environment, used_at)
           VALUES ($1, $2, $3, $4)`,
          [other.approvalId, scope.customerId, scope.environment, NOW],
        );
        await tx.query(
          `UPDATE bank_accounts SET status = 'ACTIVE', version = version + 1 WHERE id = $1`,
          [accountId],
        );
      }),
    );
  });

  it.each(['PENDING', 'ACTIVE'])(
    'another account behind the id of one that is %s',
    async (status) => {
      if (status === 'ACTIVE') expect((await approve(approvalId)).code).toBe(0);
      for (const set of [
        `personal = '\\x00'`,
        `fingerprint = 'other'`,
        `rail = 'SWIFT'`,
        `country = 'FR'`,
        `end_user_id = (SELECT id FROM end_users WHERE relationship = 'CLIENT' LIMIT 1)`,
      ]) {
        await asApp(
          `INSERT INTO end_users (customer_id, environment, id, type, personal, created_at, updated_at)
         VALUES ($1, 'live', $2, 'INDIVIDUAL', '', now(), now()) ON CONFLICT DO NOTHING`,
          ...[scope.customerId, `eu_client_${scope.customerId}`],
        );
        await refused(asApp(`UPDATE bank_accounts SET ${set} WHERE id = $1`, accountId));
      }
      expect(await standing(accountId)).toMatchObject({ status });
    },
  );

  it('an own account that is ACTIVE from the beginning', async () => {
    await refused(
      asApp(
        `INSERT INTO bank_accounts (customer_id, environment, id, end_user_id, country, currency, rail,
           holder_type, fingerprint, personal, created_at, updated_at)
         SELECT customer_id, environment, 'ba_planted', end_user_id, country, currency, rail,
           holder_type, 'planted', personal, created_at, updated_at
         FROM bank_accounts WHERE id = $1`,
        accountId,
      ),
    );
  });

  it('a second own entity, another owner, and its closing', async () => {
    const [self] = await rows<{ id: string }>(
      `SELECT id FROM end_users WHERE customer_id = $1 AND relationship = 'SELF'`,
      scope.customerId,
    );
    await refused(asApp(`UPDATE end_users SET relationship = 'CLIENT' WHERE id = $1`, self?.id));
    await refused(asApp(`UPDATE end_users SET status = 'CLOSED' WHERE id = $1`, self?.id));
    await expect(
      asApp(
        `INSERT INTO end_users (customer_id, environment, id, type, relationship, personal,
           created_at, updated_at)
         SELECT customer_id, environment, 'eu_second', type, relationship, personal, created_at,
           updated_at FROM end_users WHERE id = $1`,
        self?.id,
      ),
    ).rejects.toMatchObject({ code: '23505', constraint: 'one_own_entity' });
  });
});
