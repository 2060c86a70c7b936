import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { KycCheckRef } from '../../../src/domain/workflows/work-refs.ts';
import type { KycStatus } from '../../../src/domain/parties/kyc/kyc-states.ts';
import { applyKycReports } from '../../../src/modules/parties/kyc/apply-kyc-reports.ts';
import { startKyc } from '../../../src/modules/parties/kyc/start-kyc.ts';
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

async function tell(check: KycCheckRef, ...statuses: [number, KycStatus][]): Promise<void> {
  for (const [providerVersion, status] of statuses) {
    await harness.report(check, { providerVersion, status });
  }
  await apply(check);
}

describe('reports of the KYC provider', () => {
  it('walk the legal moves, one version and one event each, and take the end-user along', async () => {
    const check = await harness.startCheck();
    await tell(check, [3, 'APPROVED']);
    expect(await harness.standing(check)).toMatchObject({
      status: 'APPROVED',
      version: 3,
      kyc: 'APPROVED',
      euVersion: 4,
    });
    expect(await harness.events(check.kycCheckId)).toEqual([
      '1 kyc.pending',
      '2 kyc.in_review',
      '3 kyc.approved',
    ]);
    expect(await harness.events(check.endUserId)).toEqual([
      '1 end_user.created',
      '2 end_user.updated',
      '3 end_user.updated',
      '4 end_user.updated',
    ]);
  });

  it('say nothing new twice: DUPLICATE', async () => {
    const check = await harness.startCheck();
    await tell(check, [2, 'IN_REVIEW']);
    await harness.report(check, { providerVersion: 2, status: 'IN_REVIEW', reportId: 'poll:2' });
    await apply(check);
    expect(await harness.effects(check)).toEqual(['APPLIED', 'DUPLICATE']);
    expect((await harness.standing(check)).version).toBe(2);
  });

  it('that come too late are STALE and move nothing back', async () => {
    const check = await harness.startCheck();
    await tell(check, [3, 'APPROVED']);
    await tell(check, [2, 'IN_REVIEW']);
    expect(await harness.effects(check)).toEqual(['APPLIED', 'STALE']);
    expect((await harness.standing(check)).status).toBe('APPROVED');
  });

  it('that no way leads to are ILLEGAL and move nothing', async () => {
    const check = await harness.startCheck();
    await tell(check, [3, 'REJECTED']);
    await tell(check, [4, 'APPROVED']);
    expect(await harness.effects(check)).toEqual(['APPLIED', 'ILLEGAL']);
    expect(await harness.standing(check)).toMatchObject({ status: 'REJECTED', kyc: 'REJECTED' });
  });

  it('with new reasons only are a version: kyc.updated', async () => {
    const check = await harness.startCheck();
    const reason = (code: string) => ({
      status: 'RESUBMISSION_REQUIRED' as const,
      reasonCodes: [code],
    });
    await harness.report(check, { providerVersion: 3, ...reason('DOCUMENT_UNREADABLE') });
    await apply(check);
    await harness.report(check, { providerVersion: 4, ...reason('DOCUMENT_EXPIRED') });
    await apply(check);
    expect((await harness.events(check.kycCheckId)).at(-1)).toBe('4 kyc.updated');
    expect((await harness.standing(check)).reasons).toMatchObject([{ code: 'DOCUMENT_EXPIRED' }]);
  });

  it('of a sanctions hit leave as COMPLIANCE_DECLINED, in the record and in the event', async () => {
    const check = await harness.startCheck();
    const codes = { status: 'REJECTED' as const, reasonCodes: ['SANCTIONS_HIT'] };
    await harness.report(check, { providerVersion: 3, ...codes });
    await apply(check);
    const rows = await harness.db.system((tx) =>
      tx.query<{ text: string }>(
        `SELECT reasons::text AS text FROM kyc_checks WHERE id = $1
         UNION ALL SELECT body FROM events WHERE resource_id = $1 AND type = 'kyc.rejected'`,
        [check.kycCheckId],
      ),
    );
    expect(rows).toHaveLength(2);
    for (const { text } of rows) {
      expect(text).toContain('COMPLIANCE_DECLINED');
      expect(text).not.toContain('SANCTION');
    }
  });

  it('on an older round no longer move the end-user', async () => {
    const first = await harness.startCheck();
    await tell(first, [3, 'APPROVED'], [4, 'EXPIRED']);
    await harness.db.write(harness.scope, (tx) =>
      startKyc(harness, tx, harness.scope, { endUserId: first.endUserId }),
    );
    // The old round's provider goes on about it.
    await tell(first, [5, 'EXPIRED']);
    expect(await harness.standing(first)).toMatchObject({ status: 'EXPIRED', kyc: 'PENDING' });
  });

  it.each<[KycStatus, KycStatus, KycStatus]>([
    ['APPROVED', 'REJECTED', 'REJECTED'],
    ['REJECTED', 'APPROVED', 'REJECTED'],
    ['APPROVED', 'REVOKED', 'REVOKED'],
    ['APPROVED', 'IN_REVIEW', 'IN_REVIEW'],
    ['IN_REVIEW', 'APPROVED', 'IN_REVIEW'],
    ['APPROVED', 'RESUBMISSION_REQUIRED', 'RESUBMISSION_REQUIRED'],
  ])('%s and then %s of one version end as %s, and the version is named', async (...statuses) => {
    const [first, second, expected] = statuses;
    const check = await harness.startCheck();
    await tell(check, [3, first]);
    const again = { providerVersion: 3, status: second, reportId: 'another' };
    await harness.report(check, again);
    expect(await apply(check)).toMatchObject({ status: expected, contradicted: [3] });
    expect(await harness.standing(check)).toMatchObject({ status: expected, kyc: expected });
    // Said once more, it is nothing new.
    await harness.report(check, { ...again, reportId: 'a third' });
    await harness.report(check, { providerVersion: 3, status: first, reportId: 'a fourth' });
    const { version } = await harness.standing(check);
    await apply(check);
    expect(await harness.standing(check)).toMatchObject({ status: expected, version });
    // A newer version has the last word again.
    await tell(check, [4, 'APPROVED']);
    const final = expected === 'REJECTED' || expected === 'REVOKED' ? expected : 'APPROVED';
    expect(await harness.standing(check)).toMatchObject({ status: final, kyc: final });
  });

  it('may jump: what lies between comes too late', async () => {
    const check = await harness.startCheck();
    await tell(check, [999_999, 'APPROVED']);
    await tell(check, [2, 'REJECTED'], [999_998, 'REVOKED']);
    expect(await harness.effects(check)).toEqual(['APPLIED', 'STALE', 'STALE']);
    await tell(check, [1_000_000, 'REVOKED']);
    expect(await harness.standing(check)).toMatchObject({ status: 'REVOKED', kyc: 'REVOKED' });
  });

  it('are judged once where two workers judge at once', async () => {
    const check = await harness.startCheck();
    await harness.report(check, { providerVersion: 2, status: 'IN_REVIEW' });
    await harness.report(check, { providerVersion: 3, status: 'APPROVED' });
    await Promise.all(Array.from({ length: 4 }, () => apply(check)));
    expect(await harness.effects(check)).toEqual(['APPLIED', 'APPLIED']);
    expect(await harness.standing(check)).toMatchObject({ status: 'APPROVED', version: 3 });
  });
});

/**
 * Lives of a check at a provider, from version 2 on. Most end where a late report could still move it
 * somewhere else: a final state would forgive every mistake.
 */
const LIVES: readonly (readonly KycStatus[])[] = [
  ['IN_REVIEW', 'APPROVED'],
  ['IN_REVIEW', 'RESUBMISSION_REQUIRED'],
  ['IN_REVIEW', 'RESUBMISSION_REQUIRED', 'IN_REVIEW', 'APPROVED'],
  ['IN_REVIEW', 'APPROVED', 'RESUBMISSION_REQUIRED'],
  ['IN_REVIEW', 'APPROVED', 'RESUBMISSION_REQUIRED', 'IN_REVIEW'],
  ['IN_REVIEW', 'APPROVED', 'REVOKED'],
  ['IN_REVIEW', 'RESUBMISSION_REQUIRED', 'IN_REVIEW', 'APPROVED', 'EXPIRED'],
  ['IN_REVIEW', 'APPROVED', 'RESUBMISSION_REQUIRED', 'IN_REVIEW', 'REJECTED'],
];

/** A check's history, its reports doubled and shuffled, and after how many of them a worker reads. */
const deliveries = fc.constantFrom(...LIVES).chain((life) => {
  const versions = life.map((status, index) => ({ status, providerVersion: index + 2 }));
  return fc.record({
    life: fc.constant(life),
    reports: fc.shuffledSubarray([...versions, ...versions], {
      minLength: versions.length * 2,
    }),
    readEvery: fc.integer({ min: 1, max: 4 }),
  });
});

describe('reports in whatever order', () => {
  it('end in the state that the provider ended in, with gapless versions and events', async () => {
    await fc.assert(
      fc.asyncProperty(deliveries, async ({ life, reports, readEvery }) => {
        const check = await harness.startCheck();
        for (const [index, report] of reports.entries()) {
          // Half of them come by another way, so under another id.
          const way = index % 2 === 0 ? 'msg' : 'poll';
          const reportId = `${way}:${String(report.providerVersion)}`;
          await harness.report(check, { ...report, reportId });
          if (index % readEvery === 0) await apply(check);
        }
        await apply(check);
        const { status, version, kyc, euVersion } = await harness.standing(check);
        expect(status).toBe(life.at(-1));
        expect(kyc).toBe(status);
        expect(await harness.events(check.kycCheckId)).toHaveLength(version);
        expect(await harness.events(check.endUserId)).toHaveLength(euVersion);
        expect(await harness.effects(check)).not.toContain(null);
      }),
      { numRuns: 25 },
    );
  });
});
