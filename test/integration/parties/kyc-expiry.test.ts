import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createKycExpiryActivities } from '../../../activities/parties/kyc-expiry.ts';
import type { KycCheckRef } from '../../../src/domain/workflows/work-refs.ts';
import { applyKycReports } from '../../../src/modules/parties/kyc/apply-kyc-reports.ts';
import { createKycHarness, type KycHarness } from '../../support/parties/kyc-store-harness.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

let harness: KycHarness;
beforeAll(async () => {
  harness = await createKycHarness();
});
afterAll(() => harness.close());

const inDays = (days: number) => new Date(harness.clock.now().getTime() + days * DAY_MS);

const apply = (check: KycCheckRef, approvalDays = 0) =>
  harness.db.write(harness.scope, (tx) =>
    applyKycReports(tx, harness.scope, check, { at: harness.clock.now(), approvalDays }),
  );

async function approve(check: KycCheckRef, expiresAt: Date | null, approvalDays = 0, version = 3) {
  await harness.report(check, { providerVersion: version, status: 'APPROVED', expiresAt });
  await apply(check, approvalDays);
}

async function approvedUntil(expiresAt: Date | null): Promise<KycCheckRef> {
  const check = await harness.startCheck();
  await approve(check, expiresAt);
  return check;
}

const schedule = (batch?: number) =>
  createKycExpiryActivities({
    ...{ db: harness.db, clock: harness.clock },
    approvalDays: { test: 0, live: 0 },
    onContradiction: () => undefined,
    ...(batch === undefined ? {} : { batch }),
  }).expireApprovals();

/** Until when check and end-user say that the approval holds. */
async function ends(check: KycCheckRef) {
  const [row] = await harness.db.system((tx) =>
    tx.query<{ check: Date | null; endUser: Date | null }>(
      `SELECT k.expires_at AS check, e.kyc_expires_at AS "endUser"
       FROM kyc_checks k JOIN end_users e ON e.id = k.end_user_id WHERE k.id = $1`,
      [check.kycCheckId],
    ),
  );
  expect(row?.endUser).toEqual(row?.check);
  return row?.check;
}

describe("an approval's end", () => {
  it.each([
    ['as the provider states it', 10, 0, 10],
    ['by our own rule', null, 30, 30],
    ['the sooner of both: the rule', 40, 30, 30],
    ['the sooner of both: the provider', 10, 30, 10],
    ['none', null, 0, null],
  ])('is %s', async (_, stated, approvalDays, expected) => {
    const check = await harness.startCheck();
    await approve(check, stated === null ? null : inDays(stated), approvalDays);
    expect(await ends(check)).toEqual(expected === null ? null : inDays(expected));
    const told = (await harness.eventBodies(check.kycCheckId)).at(-1);
    const data = { status: 'APPROVED', expiresAt: expected && inDays(expected).toISOString() };
    expect(told).toMatchObject({ type: 'kyc.approved', data });
  });

  it('moves on where the provider approves again in a newer version: kyc.updated', async () => {
    const check = await approvedUntil(inDays(1));
    await approve(check, inDays(20), 0, 4);
    expect(await ends(check)).toEqual(inDays(20));
    expect((await harness.events(check.kycCheckId)).at(-1)).toBe('4 kyc.updated');
    expect(await harness.events(check.endUserId)).toHaveLength(5);
  });

  it('is gone with the approval', async () => {
    const check = await approvedUntil(inDays(1));
    await harness.report(check, { providerVersion: 4, status: 'RESUBMISSION_REQUIRED' });
    await apply(check);
    expect(await ends(check)).toBeNull();
  });

  it('that has passed when the approval is told of makes it EXPIRED at once', async () => {
    const check = await approvedUntil(inDays(-1));
    expect(await harness.standing(check)).toMatchObject({
      ...{ status: 'EXPIRED', kyc: 'EXPIRED' },
      reasons: [{ code: 'APPROVAL_EXPIRED' }],
    });
  });
});

describe('the expiry schedule', () => {
  it('ends what is over, and nothing else', async () => {
    const over = await approvedUntil(inDays(1));
    const later = await approvedUntil(inDays(3));
    const never = await approvedUntil(null);
    harness.clock.advance(DAY_MS - 1);
    await schedule();
    expect(await harness.standing(over)).toMatchObject({ status: 'APPROVED' });
    harness.clock.advance(1);
    await schedule();
    expect(await harness.standing(over)).toMatchObject({
      ...{ status: 'EXPIRED', kyc: 'EXPIRED', version: 4 },
      reasons: [{ code: 'APPROVAL_EXPIRED', retryable: false }],
    });
    expect((await harness.events(over.kycCheckId)).at(-1)).toBe('4 kyc.expired');
    for (const check of [later, never]) {
      expect(await harness.standing(check)).toMatchObject({ status: 'APPROVED', kyc: 'APPROVED' });
    }
  });

  it('ends an approval once, however often and however late it runs, by many workers at once', async () => {
    const check = await approvedUntil(inDays(1));
    harness.clock.advance(400 * DAY_MS);
    await Promise.all(Array.from({ length: 6 }, () => schedule()));
    await schedule();
    expect(await harness.standing(check)).toMatchObject({ status: 'EXPIRED', version: 4 });
    expect(await harness.events(check.kycCheckId)).toHaveLength(4);
  });

  it('reads page after page, and one that cannot be ended does not hide those behind it', async () => {
    const checks = [];
    for (let n = 0; n < 7; n += 1) checks.push(await approvedUntil(inDays(1)));
    const [broken = ''] = checks.map(({ kycCheckId }) => kycCheckId).sort();
    await harness.refuseChangesOf(broken);
    harness.clock.advance(DAY_MS);
    await expect(schedule(2)).rejects.toMatchObject({ code: 'P0001' });
    for (const check of checks) {
      const status = check.kycCheckId === broken ? 'APPROVED' : 'EXPIRED';
      expect(await harness.standing(check)).toMatchObject({ status });
    }
    await harness.refuseChangesOf(null);
    await schedule(2);
    for (const check of checks) {
      expect(await harness.standing(check)).toMatchObject({ status: 'EXPIRED' });
    }
  });

  it('lets a confirmation count that has come and is not read yet', async () => {
    const check = await approvedUntil(inDays(1));
    harness.clock.advance(DAY_MS);
    const expiresAt = inDays(30);
    await harness.report(check, { providerVersion: 4, status: 'APPROVED', expiresAt });
    await schedule();
    expect(await harness.standing(check)).toMatchObject({ status: 'APPROVED' });
    expect(await ends(check)).toEqual(expiresAt);
  });

  it('leaves a new round alone: the old approval is no longer the end-user’s', async () => {
    const check = await approvedUntil(inDays(1));
    harness.clock.advance(DAY_MS);
    const { check: next, isNew } = await harness.askForCheck(check);
    expect(isNew).toBe(true);
    expect(await harness.standing(check)).toMatchObject({ status: 'EXPIRED', kyc: 'PENDING' });
    await schedule();
    expect(await harness.standing(next)).toMatchObject({ status: 'PENDING', kyc: 'PENDING' });
    expect(await ends(next)).toBeNull();
  });
});
