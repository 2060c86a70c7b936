import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createKycHarness, SECRETS, type KycHarness } from '../../support/parties/kyc-harness.ts';

let harness: KycHarness;
beforeAll(async () => {
  harness = await createKycHarness();
});
afterAll(() => harness.close());

async function newCheck() {
  const endUserId = await harness.addEndUser();
  const { id } = (await harness.post(`/end-users/${endUserId}/kyc`)).json();
  return { endUserId, kycCheckId: id as string };
}

const report = (reference: string, more: object = {}) => ({
  reference,
  version: 2,
  at: harness.clock.now().toISOString(),
  status: 'REJECTED',
  reasons: [{ code: 'SANCTIONS_HIT', message: 'Ada Sample is on a list', retryable: false }],
  ...more,
});

const storedReports = (kycCheckId: string) =>
  harness.database.db.system((tx) =>
    tx.query<{ id: bigint; text: string }>(
      'SELECT id, r::text AS text FROM kyc_reports r WHERE kyc_check_id = $1 ORDER BY id',
      [kycCheckId],
    ),
  );

describe('POST /kyc/callbacks', () => {
  it('a signed report is stored without its text, answered, and wakes the check', async () => {
    const { endUserId, kycCheckId } = await newCheck();
    const answer = await harness.callBack(report(kycCheckId));
    expect(answer.statusCode).toBe(202);
    expect(answer.body).toBe('{}');
    const [stored, ...more] = await storedReports(kycCheckId);
    expect(more).toEqual([]);
    expect(stored?.text).toContain('SANCTIONS_HIT');
    expect(stored?.text).not.toMatch(/\bAda\b/);
    expect(harness.wakes.at(-1)).toEqual({
      check: { ...harness.scope, endUserId, kycCheckId, round: 1 },
      reportId: String(stored?.id),
    });
  });

  it('a KYC callback is stored once, however often it comes, and wakes for the same row', async () => {
    const { kycCheckId } = await newCheck();
    const before = harness.wakes.length;
    for (let time = 0; time < 3; time += 1) {
      const answer = await harness.callBack(report(kycCheckId), { id: 'msg_same' });
      expect(answer.statusCode).toBe(202);
    }
    expect(await storedReports(kycCheckId)).toHaveLength(1);
    expect(new Set(harness.wakes.slice(before).map((wake) => wake.reportId)).size).toBe(1);
  });

  it('a KYC provider that uses one message id twice does not hide a revocation behind it', async () => {
    const { kycCheckId } = await newCheck();
    const signed = { id: 'msg_reused' };
    await harness.callBack(report(kycCheckId, { status: 'APPROVED', version: 3 }), signed);
    await harness.callBack(report(kycCheckId, { status: 'REVOKED', version: 4 }), signed);
    expect(await storedReports(kycCheckId)).toHaveLength(2);
  });

  it("keeps until when the provider's approval holds, and refuses an end that it cannot read", async () => {
    const { kycCheckId } = await newCheck();
    const until = (expiresAt: string) =>
      harness.callBack(report(kycCheckId, { status: 'APPROVED', version: 3, expiresAt }));
    const tooLate = '9999-12-31T23:59:59-23:59';
    const yearZero = '0000-01-01T00:00:00Z';
    for (const unreadable of ['soon', '2026-12-31T23:59:60Z', '2027-01-31', tooLate, yearZero]) {
      const answer = await until(unreadable);
      expect([answer.statusCode, answer.json().details[0].path]).toEqual([400, '/expiresAt']);
    }
    expect(await storedReports(kycCheckId)).toEqual([]);
    expect((await until('2027-01-31T10:00:00+02:00')).statusCode).toBe(202);
    const [stored] = await storedReports(kycCheckId);
    expect(stored?.text).toContain('2027-01-31 08:00:00+00');
  });

  it('an unknown reference is taken like a known one: 202', async () => {
    const before = harness.wakes.length;
    for (const reference of ['kyc_01k6b7q0e8f1htx9n3r5p7v2ab', 'nonsense']) {
      const answer = await harness.callBack(report(reference));
      expect([answer.statusCode, answer.body]).toEqual([202, '{}']);
    }
    expect(harness.wakes).toHaveLength(before);
  });

  it("one environment's KYC provider cannot change the other environment's checks", async () => {
    const { kycCheckId } = await newCheck();
    const answer = await harness.callBack(report(kycCheckId), { secret: SECRETS.live });
    expect(answer.statusCode).toBe(202);
    expect(await storedReports(kycCheckId)).toEqual([]);
  });

  const forged = `whsec_${Buffer.from('f'.repeat(32)).toString('base64')}`;
  it.each([
    ['a forged signature', () => ({ secret: forged })],
    ['a signature of five minutes and a second ago', () => ({ at: secondsAgo(301) })],
    ['a signature from the future', () => ({ at: secondsAgo(-301) })],
  ])('refuses %s with 401 invalid_signature', async (_, signed) => {
    const { kycCheckId } = await newCheck();
    const answer = await harness.callBack(report(kycCheckId), signed());
    expect(answer.statusCode).toBe(401);
    expect(answer.json()).toMatchObject({ error: 'invalid_signature', details: [] });
    expect(await storedReports(kycCheckId)).toEqual([]);
  });

  it('an unsigned KYC callback is refused before its shape is looked at', async () => {
    const answer = await harness.post('/kyc/callbacks', { any: 'thing' });
    expect(answer.statusCode).toBe(401);
    expect(answer.json().error).toBe('invalid_signature');
    const empty = await harness.post('/kyc/callbacks');
    expect(empty.statusCode).toBe(401);
  });

  it.each([
    [{ status: 'FINE' }, '/status'],
    [{ status: 'NOT_STARTED' }, '/status'],
    [{ version: 0 }, '/version'],
    [{ version: '2' }, '/version'],
    [{ reasons: [{ code: 'two words' }] }, '/reasons/0/code'],
    [{ extra: 1 }, '/extra'],
  ])('refuses a signed body with %j: 400', async (more, path) => {
    const { kycCheckId } = await newCheck();
    const answer = await harness.callBack(report(kycCheckId, more));
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({ error: 'validation_failed', details: [{ path }] });
  });
});

function secondsAgo(seconds: number): Date {
  return new Date(harness.clock.now().getTime() - seconds * 1000);
}
