import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { KycCheckRef } from '../../../src/domain/workflows/work-refs.ts';
import {
  readUndecidedKycChecks,
  readUnopenedKycChecks,
} from '../../../src/db/operations/unfinished-work-store.ts';
import type { KycStatus } from '../../../src/domain/parties/kyc/kyc-states.ts';
import { applyKycReports } from '../../../src/modules/parties/kyc/apply-kyc-reports.ts';
import { createKycHarness, type KycHarness } from '../../support/parties/kyc-store-harness.ts';

let harness: KycHarness;
beforeAll(async () => {
  harness = await createKycHarness();
});
afterAll(() => harness.close());

const apply = (check: KycCheckRef) =>
  harness.db.write(harness.scope, (tx) =>
    applyKycReports(tx, harness.scope, check, { at: harness.clock.now(), approvalDays: 0 }),
  );

async function tell(check: KycCheckRef, ...statuses: [number, KycStatus][]) {
  for (const [providerVersion, status] of statuses) {
    await harness.report(check, { providerVersion, status });
  }
  return apply(check);
}

describe('data that changes after the approval', () => {
  it('takes the approval back before any version shows the new data', async () => {
    const check = await harness.startCheck();
    await tell(check, [3, 'APPROVED']);
    await harness.changeIdentity(check);
    expect(await harness.standing(check)).toMatchObject({
      status: 'RESUBMISSION_REQUIRED',
      kyc: 'RESUBMISSION_REQUIRED',
      reasons: [{ code: 'DATA_CHANGED', retryable: true }],
      euVersion: 6,
    });
    expect((await harness.events(check.kycCheckId)).at(-1)).toBe('4 kyc.resubmission_required');
    expect(await harness.events(check.endUserId)).toHaveLength(6);
    const versions = await harness.db.system((tx) =>
      tx.query<{ kyc: string }>(
        `SELECT body::jsonb #>> '{data,kycStatus}' AS kyc FROM events
         WHERE resource_id = $1 AND resource_version >= 5 ORDER BY resource_version`,
        [check.endUserId],
      ),
    );
    expect(versions.map(({ kyc }) => kyc)).toEqual([
      'RESUBMISSION_REQUIRED',
      'RESUBMISSION_REQUIRED',
    ]);
  });

  it('needs a new round: the next POST starts one, which approves again', async () => {
    const check = await harness.startCheck();
    await tell(check, [3, 'APPROVED']);
    await harness.changeIdentity(check);
    const again = await harness.askForCheck(check);
    expect(again).toMatchObject({ isNew: true, check: { round: 2 } });
    expect(again.check.kycCheckId).not.toBe(check.kycCheckId);
    await tell(again.check, [2, 'APPROVED']);
    expect(await harness.standing(again.check)).toMatchObject({ kyc: 'APPROVED' });
    expect(await harness.askForCheck(check)).toMatchObject({ isNew: false, check: again.check });
  });

  it('is told to a workflow that would wait for ever, and to the reconciler', async () => {
    const check = await harness.startCheck();
    await tell(check, [3, 'APPROVED']);
    await harness.changeIdentity(check);
    expect(await apply(check)).toMatchObject({ status: 'RESUBMISSION_REQUIRED', isOver: true });
    expect(await swept()).not.toContain(check.kycCheckId);
  });

  it('leaves a check that asks for documents to its provider while the data stays', async () => {
    const check = await harness.startCheck();
    const applied = await tell(check, [3, 'RESUBMISSION_REQUIRED']);
    expect(applied).toMatchObject({ isOver: false });
    expect(await harness.askForCheck(check)).toMatchObject({ isNew: false });
    expect(await swept()).toContain(check.kycCheckId);
  });

  async function swept(): Promise<string[]> {
    const until = new Date(harness.clock.now().getTime() + 1);
    const rows = await harness.db.system(async (tx) => [
      ...(await readUndecidedKycChecks(tx, until, '', 1000)),
      ...(await readUnopenedKycChecks(tx, until, '', 1000)),
    ]);
    return rows.map(({ kycCheckId }) => kycCheckId);
  }
});

describe('data that changes during the review', () => {
  it('is not approved by the check of the data before: DATA_CHANGED instead', async () => {
    const check = await harness.startCheck();
    await tell(check, [2, 'IN_REVIEW']);
    await harness.changeIdentity(check);
    await tell(check, [3, 'APPROVED']);
    expect(await harness.standing(check)).toMatchObject({
      status: 'RESUBMISSION_REQUIRED',
      kyc: 'RESUBMISSION_REQUIRED',
      reasons: [{ code: 'DATA_CHANGED' }],
    });
    expect(await harness.effects(check)).toEqual(['APPLIED', 'OUTDATED']);
    expect(await harness.events(check.kycCheckId)).not.toContain('3 kyc.approved');
  });

  it('is not approved by an approval told again, nor by one that is newer still', async () => {
    const check = await harness.startCheck();
    await harness.changeIdentity(check);
    await tell(check, [3, 'APPROVED']);
    await harness.report(check, { providerVersion: 3, status: 'APPROVED', reportId: 'poll:3' });
    await tell(check, [2, 'IN_REVIEW'], [4, 'IN_REVIEW'], [5, 'APPROVED']);
    const effects = ['OUTDATED', 'DUPLICATE', 'STALE', 'APPLIED', 'OUTDATED'];
    expect(await harness.effects(check)).toEqual(effects);
    expect(await harness.standing(check)).toMatchObject({ kyc: 'RESUBMISSION_REQUIRED' });
  });

  it('is not approved on the way to a withdrawal: no version of the check was APPROVED', async () => {
    const check = await harness.startCheck();
    await harness.changeIdentity(check);
    await tell(check, [4, 'REVOKED']);
    expect(await harness.effects(check)).toEqual(['OUTDATED']);
    expect((await harness.events(check.kycCheckId)).join()).not.toContain('approved');
  });

  it('is rejected by the check of the data before, as it was', async () => {
    const check = await harness.startCheck();
    await harness.changeIdentity(check);
    await tell(check, [3, 'REJECTED']);
    expect(await harness.effects(check)).toEqual(['APPLIED']);
    expect(await harness.standing(check)).toMatchObject({ kyc: 'REJECTED' });
  });

  it('lets a new round start at once; the old one then moves no end-user', async () => {
    const check = await harness.startCheck();
    await tell(check, [2, 'IN_REVIEW']);
    await harness.changeIdentity(check);
    const again = await harness.askForCheck(check);
    expect(again.isNew).toBe(true);
    expect(await apply(check)).toMatchObject({ isOver: true });
    await tell(check, [3, 'APPROVED']);
    expect(await harness.standing(again.check)).toMatchObject({
      status: 'PENDING',
      kyc: 'PENDING',
    });
  });

  it('changed back is not the data that was checked', async () => {
    const check = await harness.startCheck();
    await harness.changeIdentity(check);
    await harness.changeIdentity(check);
    await tell(check, [3, 'APPROVED']);
    expect(await harness.standing(check)).toMatchObject({ kyc: 'RESUBMISSION_REQUIRED' });
  });

  it('is refused approval by the database, whatever the software does', async () => {
    const check = await harness.startCheck();
    await tell(check, [2, 'IN_REVIEW']);
    await harness.changeIdentity(check);
    const approve = harness.db.write(harness.scope, (tx) =>
      tx.query(`UPDATE kyc_checks SET status = 'APPROVED', version = version + 1 WHERE id = $1`, [
        check.kycCheckId,
      ]),
    );
    await expect(approve).rejects.toThrow('is about data that has changed since');
  });
});

const steps = fc.array(
  fc.oneof(
    { weight: 1, arbitrary: fc.constant('CHANGE' as const) },
    { weight: 1, arbitrary: fc.constant('START' as const) },
    {
      weight: 4,
      arbitrary: fc.record({
        round: fc.nat({ max: 3 }),
        providerVersion: fc.integer({ min: 2, max: 8 }),
        status: fc.constantFrom<KycStatus>(
          'IN_REVIEW',
          'APPROVED',
          'APPROVED',
          'RESUBMISSION_REQUIRED',
          'REVOKED',
        ),
      }),
    },
  ),
  { minLength: 4, maxLength: 14 },
);

describe('changes of data between reports in whatever order', () => {
  it('leave no end-user APPROVED by a check of other data', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (life) => {
        const rounds = [await harness.startCheck()];
        for (const [index, step] of life.entries()) {
          const [first] = rounds;
          if (first === undefined) throw new Error('there is a first round');
          if (step === 'CHANGE') await harness.changeIdentity(first);
          else if (step === 'START') {
            const { check, isNew } = await harness.askForCheck(first);
            if (isNew) rounds.push(check);
          } else {
            const { round, ...report } = step;
            const check = rounds[round % rounds.length] ?? first;
            await harness.report(check, { ...report, reportId: `msg_${String(index)}` });
            await apply(check);
          }
          const [standing] = await harness.db.system((tx) =>
            tx.query<{ kyc: string; isCurrent: boolean; events: number; version: number }>(
              `SELECT e.kyc_status AS kyc, k.identity_version = e.identity_version AS "isCurrent",
                 e.version, (SELECT count(*)::int FROM events WHERE resource_id = e.id) AS events
               FROM end_users e JOIN kyc_checks k ON k.end_user_id = e.id AND k.round = e.kyc_round
               WHERE e.id = $1`,
              [first.endUserId],
            ),
          );
          expect(standing?.events).toBe(standing?.version);
          if (standing?.kyc === 'APPROVED') expect(standing.isCurrent).toBe(true);
        }
      }),
      { numRuns: 40 },
    );
  });
});
