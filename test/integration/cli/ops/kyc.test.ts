import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { insertKycReport } from '../../../../src/db/parties/kyc-report-store.ts';
import { createCorridorTable } from '../../../../src/domain/payments/corridors/corridor-table.ts';
import type { KycStatus } from '../../../../src/domain/parties/kyc/kyc-states.ts';
import type { Scope } from '../../../../src/domain/scope.ts';
import type { KycCheckRef } from '../../../../src/domain/workflows/work-refs.ts';
import { createEndUser } from '../../../../src/modules/parties/end-users/create-end-user.ts';
import { applyKycReports } from '../../../../src/modules/parties/kyc/apply-kyc-reports.ts';
import { kycCheckRef, startKyc } from '../../../../src/modules/parties/kyc/start-kyc.ts';
import { addCustomer } from '../../../support/test-customer.ts';
import { createTestVault } from '../../../support/test-vault.ts';
import { createOpsHarness, NOW, type OpsHarness } from '../../../support/cli/ops/ops-harness.ts';

const ADA = ['--reason', 'the register was read by hand', '--operator', 'Ada'];

const deps = {
  vault: createTestVault(),
  clock: { now: () => NOW },
  corridors: createCorridorTable(),
};
let harness: OpsHarness;
let scope: Scope;
let check: KycCheckRef;
beforeAll(async () => {
  harness = await createOpsHarness();
  const customerId = await harness.database.db.system((tx) => addCustomer(tx));
  scope = { customerId, environment: 'live' };
});
afterAll(() => harness.close());
beforeEach(async () => {
  check = await newCheck();
});

function newCheck(): Promise<KycCheckRef> {
  return harness.database.db.write(scope, async (tx) => {
    const individual = { firstName: 'Ada', lastName: 'Sample' };
    const endUser = await createEndUser(deps, tx, scope, { type: 'INDIVIDUAL', individual });
    return kycCheckRef(scope, (await startKyc(deps, tx, scope, { endUserId: endUser.id })).check);
  });
}

/** Stores what the provider says of its check's version. */
const providerSays = (providerVersion: number, status: KycStatus) =>
  harness.database.db.write(scope, (tx) =>
    insertKycReport(tx, scope, {
      ...{ kycCheckId: check.kycCheckId, status, providerVersion, reasonCodes: [] },
      ...{ reportId: `${String(providerVersion)} ${status}`, expiresAt: null, receivedAt: NOW },
    }),
  );
const apply = () =>
  harness.database.db.write(scope, (tx) =>
    applyKycReports(tx, scope, check, { at: NOW, approvalDays: 0 }),
  );
async function told(providerVersion: number, status: KycStatus): Promise<void> {
  await providerSays(providerVersion, status);
  await apply();
}

const rows = <Row extends object>(sql: string, values: unknown[] = [check.kycCheckId]) =>
  harness.database.db.system((tx) => tx.query<Row>(sql, values));

/** Where check and end-user stand, the check's reasons, and its events one a version. */
async function standing() {
  const [row] = await rows<{ status: string; version: number; kyc: string; codes: string }>(
    `SELECT k.status, k.version, e.kyc_status AS kyc,
       jsonb_path_query_array(k.reasons, '$[*].code')::text AS codes
     FROM kyc_checks k JOIN end_users e ON e.id = k.end_user_id WHERE k.id = $1`,
  );
  const events = await rows('SELECT FROM events WHERE resource_id = $1');
  expect(events).toHaveLength(row?.version ?? 0);
  return row;
}

const override = async (to: string, by = ADA) => {
  const { code, printed, error } = await harness.run(
    ...['kyc', 'override', '--check', check.kycCheckId, '--to', to, ...by],
  );
  return { code, printed, error, id: /apr_\w+/.exec(printed)?.[0] ?? '' };
};
const approve = (id: string, by = 'Ben') => harness.operators.approve(id, by, 'Ada');

describe('kyc revoke', () => {
  const revoke = (...which: string[]) => harness.run('kyc', 'revoke', ...which, ...ADA);

  it.each([
    ['the check', () => ['--check', check.kycCheckId]],
    ['the end-user', () => ['--end-user', check.endUserId]],
  ])(
    'by one operator takes an approval back, named by %s, with event and audit row',
    async (...named) => {
      await told(3, 'APPROVED');
      expect(await revoke(...named[1]())).toMatchObject({ code: 0 });
      expect(await standing()).toMatchObject({
        ...{ status: 'REVOKED', kyc: 'REVOKED', version: 4, codes: '["APPROVAL_WITHDRAWN"]' },
      });
      expect(await rows('SELECT actor, action, details FROM audit_log WHERE subject = $1')).toEqual(
        [
          {
            ...{ actor: 'operator:Ada', action: 'kyc.revoke' },
            details: { endUserId: check.endUserId, reason: 'the register was read by hand' },
          },
        ],
      );
      // The provider does not know, and goes on saying what it said.
      await told(4, 'APPROVED');
      expect(await standing()).toMatchObject({ status: 'REVOKED', kyc: 'REVOKED' });
    },
  );

  it('never makes an approval to take back: what is not APPROVED stays as it is', async () => {
    expect(await revoke('--check', check.kycCheckId)).toMatchObject({
      ...{ code: 1, error: `There is no approval to revoke. ${check.kycCheckId} is PENDING.` },
    });
    expect(await standing()).toMatchObject({ status: 'PENDING', version: 1 });
    await told(3, 'APPROVED');
    const twice = await Promise.all([
      revoke('--check', check.kycCheckId),
      revoke('--end-user', check.endUserId),
    ]);
    expect(twice.map(({ code }) => code).sort()).toEqual([0, 1]);
    expect(await standing()).toMatchObject({ status: 'REVOKED', version: 4 });
  });

  it('names what there is not, and wants one of both', async () => {
    expect((await revoke('--check', 'kyc_none')).error).toBe('There is no KYC check kyc_none.');
    expect((await revoke('--end-user', 'eu_none')).code).toBe(1);
    expect((await revoke()).code).toBe(2);
    const both = ['--check', check.kycCheckId, '--end-user', check.endUserId];
    expect((await revoke(...both)).code).toBe(2);
  });
});

describe('kyc override', () => {
  it.each([
    ['PENDING', 'APPROVED', 3, '[]'],
    ['IN_REVIEW', 'APPROVED', 3, '[]'],
    ['RESUBMISSION_REQUIRED', 'APPROVED', 5, '[]'],
    ['IN_REVIEW', 'REJECTED', 3, '["COMPLIANCE_DECLINED"]'],
    ['APPROVED', 'REJECTED', 5, '["COMPLIANCE_DECLINED"]'],
  ] as const)('from %s to %s is proposed by one and done by another', async (...given) => {
    const [from, to, version, codes] = given;
    if (from !== 'PENDING') await told(2, from);
    const before = await standing();
    const { code, id } = await override(to);
    expect(code).toBe(0);
    expect(await standing()).toEqual(before);
    const wakes = harness.kycWakes.length;
    expect(await approve(id)).toMatchObject({
      ...{ code: 0, printed: `${check.kycCheckId} of ${check.endUserId} is ${to}.` },
    });
    expect(await standing()).toMatchObject({ status: to, kyc: to, version, codes });
    expect(harness.kycWakes.slice(wakes)).toEqual([check.kycCheckId]);
    expect(
      await rows('SELECT actor, action FROM audit_log WHERE subject = $1 ORDER BY id'),
    ).toEqual([
      { actor: `operator:${await harness.operators.operator('Ben')}`, action: 'kyc.override' },
    ]);
  });

  it('is not done by the one who proposed it, nor twice', async () => {
    const { id } = await override('APPROVED');
    expect((await approve(id, 'Ada')).code).toBe(1);
    expect(await standing()).toMatchObject({ status: 'PENDING' });
    const twice = await Promise.all([approve(id), approve(id)]);
    expect(twice.map(({ code }) => code).sort()).toEqual([0, 1]);
    expect(await standing()).toMatchObject({ status: 'APPROVED', version: 3 });
  });

  it.each([
    ['has been judged', true],
    ['is stored and not read yet', false],
  ])('is void once a report %s that changed the check', async (_, isJudged) => {
    const { id } = await override('APPROVED');
    await (isJudged ? told(3, 'REJECTED') : providerSays(3, 'REJECTED'));
    expect((await approve(id)).error).toContain('has changed since the proposal');
    await apply();
    expect(await standing()).toMatchObject({ status: 'REJECTED', kyc: 'REJECTED' });
  });

  it.each(['REJECTED', 'REVOKED', 'EXPIRED'] as const)('leaves %s as it is', async (status) => {
    await told(3, status);
    expect((await override('APPROVED')).error).toBe(
      `The KYC check ${check.kycCheckId} is ${status}, which cannot change. The customer must start a new check.`,
    );
  });

  it('of an older round is refused', async () => {
    await told(3, 'REJECTED');
    await harness.database.db.write(scope, (tx) => startKyc(deps, tx, scope, check));
    expect((await override('APPROVED')).error).toContain('is not the newest check');
  });
});

describe('after an override to APPROVED the provider', () => {
  beforeEach(async () => {
    await told(4, 'IN_REVIEW');
    await approve((await override('APPROVED')).id);
  });

  it.each([
    [3, 'REJECTED'],
    [4, 'REJECTED'],
    [4, 'RESUBMISSION_REQUIRED'],
    [5, 'IN_REVIEW'],
    [5, 'APPROVED'],
  ] as const)('does not undo it by version %i, %s', async (version, status) => {
    await told(version, status);
    expect(await standing()).toMatchObject({ status: 'APPROVED', kyc: 'APPROVED' });
  });

  it.each(['REJECTED', 'REVOKED', 'EXPIRED', 'RESUBMISSION_REQUIRED'] as const)(
    'ends it by a newer %s, and then has the word again',
    async (status) => {
      await told(5, 'IN_REVIEW');
      await told(6, status);
      expect(await standing()).toMatchObject({ status, kyc: status });
      if (status !== 'RESUBMISSION_REQUIRED') return;
      await told(7, 'IN_REVIEW');
      expect(await standing()).toMatchObject({ status: 'IN_REVIEW', kyc: 'IN_REVIEW' });
    },
  );
});

describe('the database alone refuses', () => {
  const asApp = (sql: string, values: unknown[]) =>
    harness.database.db.write(scope, (tx) => tx.query(sql, values));
  const APPROVE = `UPDATE kyc_checks SET status = 'APPROVED', version = version + 1,
    override_id = $2 WHERE id = $1`;

  it('an approval that neither provider nor two operators gave', async () => {
    await told(2, 'IN_REVIEW');
    const alone = asApp(APPROVE, [check.kycCheckId, null]);
    await expect(alone).rejects.toThrow('neither provider nor two operators');
  });

  it('an override by a proposal alone, by one that is used up, or by that of another check', async () => {
    await told(2, 'IN_REVIEW');
    const proposed = (await override('APPROVED')).id;
    const first = check;
    check = await newCheck();
    const used = (await override('APPROVED')).id;
    await approve(used);
    for (const id of [proposed, used]) {
      const forged = asApp(APPROVE, [first.kycCheckId, id]);
      await expect(forged).rejects.toThrow('no two operators have approved this override');
    }
  });
});
