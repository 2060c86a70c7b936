import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildCheckedApp } from '../../support/checked-app.ts';
import { testSettings } from '../../support/test-app.ts';
import { createKycHarness, SECRETS, type KycHarness } from '../../support/parties/kyc-harness.ts';

let harness: KycHarness;
beforeAll(async () => {
  harness = await createKycHarness();
});
afterAll(() => harness.close());

const DAY_MS = 24 * 60 * 60 * 1000;
const kycOf = (endUserId: string) => `/end-users/${endUserId}/kyc`;

/** Moves the newest check as its provider would have it: stored by callback, then applied. */
async function force(endUserId: string, status: string): Promise<void> {
  const { db } = harness.database;
  await db.write(harness.scope, async (tx) => {
    // The database lets no one be approved of whom no provider said so.
    await tx.query(
      `INSERT INTO kyc_reports (customer_id, environment, kyc_check_id, report_id, status,
         provider_version, received_at)
       SELECT customer_id, environment, id, 'forced', $1, 9, updated_at FROM kyc_checks
       WHERE end_user_id = $2`,
      [status, endUserId],
    );
    for (const step of status === 'IN_REVIEW' ? [status] : ['IN_REVIEW', status]) {
      await tx.query(
        'UPDATE kyc_checks SET status = $1, version = version + 1, updated_at = $3 WHERE end_user_id = $2',
        [step, endUserId, harness.clock.now()],
      );
    }
    await tx.query('UPDATE end_users SET kyc_status = $1 WHERE id = $2', [status, endUserId]);
  });
}

describe('POST /end-users/{id}/kyc', () => {
  it('POST /kyc starts a check, with a hosted link for 24 hours, and its workflow', async () => {
    const endUserId = await harness.addEndUser();
    const answer = await harness.post(kycOf(endUserId), {
      redirectUrl: 'https://example.com/done',
    });
    expect(answer.statusCode).toBe(201);
    const now = harness.clock.now();
    expect(answer.json()).toEqual({
      id: expect.stringMatching(/^kyc_[0-9a-z]{26}$/),
      endUserId,
      status: 'PENDING',
      reasons: [],
      expiresAt: null,
      link: {
        url: expect.stringMatching(/^http:\/\/localhost:8080\/kyc\/[A-Za-z0-9_-]{43}$/),
        expiresAt: new Date(now.getTime() + DAY_MS).toISOString(),
      },
      version: 1,
      createdAt: now.toISOString(),
      updatedAt: now.toISOString(),
    });
    expect((await harness.get(kycOf(endUserId))).json()).toEqual(answer.json());
    const kycCheckId = answer.json().id as string;
    expect(harness.started.at(-1)).toEqual({ ...harness.scope, endUserId, kycCheckId, round: 1 });
  });

  it('a started check changes the end-user, one event for each version of each', async () => {
    const endUserId = await harness.addEndUser();
    const { id } = (await harness.post(kycOf(endUserId))).json();
    const endUser = (await harness.get(`/end-users/${endUserId}`)).json();
    expect(endUser).toMatchObject({ kycStatus: 'PENDING', version: 2 });
    expect(await harness.eventTypes(id)).toEqual(['kyc.pending']);
    expect(await harness.eventTypes(endUserId)).toEqual(['end_user.created', 'end_user.updated']);
  });

  it('the secret of a KYC link is in no event and no readable column', async () => {
    const endUserId = await harness.addEndUser();
    const { id, link } = (await harness.post(kycOf(endUserId))).json();
    const token = link.url.split('/').at(-1) as string;
    const rows = await harness.database.db.system((tx) =>
      tx.query<{ text: string }>(
        `SELECT k::text AS text FROM kyc_checks k WHERE id = $1
         UNION ALL SELECT body FROM events WHERE resource_id = $1`,
        [id],
      ),
    );
    expect(rows).toHaveLength(2);
    const hex = Buffer.from(token).toString('hex');
    for (const { text } of rows) {
      expect(text).not.toContain(token);
      expect(text).not.toContain(hex);
    }
  });

  it.each([
    ['open', null],
    ['in review', 'IN_REVIEW'],
    ['approved', 'APPROVED'],
  ])('answers 200 with the check that is %s already', async (_, status) => {
    const endUserId = await harness.addEndUser();
    const first = (await harness.post(kycOf(endUserId))).json();
    if (status !== null) await force(endUserId, status);
    const again = await harness.post(kycOf(endUserId), {});
    expect(again.statusCode).toBe(200);
    expect(again.json()).toMatchObject({ id: first.id, link: first.link });
  });

  it('POST /kyc begins a new round after a rejection', async () => {
    const endUserId = await harness.addEndUser();
    const first = (await harness.post(kycOf(endUserId))).json();
    await force(endUserId, 'REJECTED');
    const second = await harness.post(kycOf(endUserId));
    expect(second.statusCode).toBe(201);
    expect(second.json().id).not.toBe(first.id);
    expect(harness.started.at(-1)).toMatchObject({ kycCheckId: second.json().id, round: 2 });
    expect((await harness.get(kycOf(endUserId))).json().id).toBe(second.json().id);
    expect((await harness.get(`/end-users/${endUserId}`)).json().kycStatus).toBe('PENDING');
  });

  it('many requests at once start one check', async () => {
    const endUserId = await harness.addEndUser();
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => harness.post(kycOf(endUserId))),
    );
    expect(answers.map((answer) => answer.statusCode).sort()).toEqual([...Array(7).fill(200), 201]);
    expect(new Set(answers.map((answer) => answer.json().id)).size).toBe(1);
  });

  it('an open check gets a new link when the old one has run out', async () => {
    const endUserId = await harness.addEndUser();
    const first = (await harness.post(kycOf(endUserId))).json();
    harness.clock.advance(DAY_MS);
    const again = (await harness.post(kycOf(endUserId))).json();
    expect(again).toMatchObject({ id: first.id, version: 2, status: 'PENDING' });
    expect(again.link.url).not.toBe(first.link.url);
    expect(await harness.eventTypes(first.id)).toEqual(['kyc.pending', 'kyc.updated']);
  });

  it('gives a fresh link once where documents are asked for again, in the same round', async () => {
    const endUserId = await harness.addEndUser();
    const first = (await harness.post(kycOf(endUserId))).json();
    harness.clock.advance(1_000);
    await force(endUserId, 'RESUBMISSION_REQUIRED');
    const again = (await harness.post(kycOf(endUserId))).json();
    expect(again).toMatchObject({ id: first.id, status: 'RESUBMISSION_REQUIRED' });
    expect(harness.restarted.at(-1)).toMatchObject({ kycCheckId: first.id, round: 1 });
    expect(again.link.url).not.toBe(first.link.url);
    expect(Date.parse(again.link.expiresAt)).toBe(harness.clock.now().getTime() + DAY_MS);
    harness.clock.advance(1_000);
    const third = (await harness.post(kycOf(endUserId))).json();
    expect(third).toEqual(again);
  });

  it('begins a new round once an approval is over, however late the schedule is', async () => {
    const endUserId = await harness.addEndUser();
    const first = (await harness.post(kycOf(endUserId))).json();
    await force(endUserId, 'APPROVED');
    const end = new Date(harness.clock.now().getTime() + DAY_MS);
    await harness.database.db.write(harness.scope, (tx) =>
      tx.query('UPDATE kyc_checks SET expires_at = $1 WHERE id = $2', [end, first.id]),
    );
    expect((await harness.get(kycOf(endUserId))).json()).toMatchObject({
      ...{ status: 'APPROVED', expiresAt: end.toISOString() },
    });
    expect((await harness.post(kycOf(endUserId))).statusCode).toBe(200);
    harness.clock.advance(DAY_MS);
    const second = await harness.post(kycOf(endUserId));
    expect(second.statusCode).toBe(201);
    expect(second.json()).toMatchObject({ status: 'PENDING', expiresAt: null });
    expect((await harness.eventTypes(first.id)).at(-1)).toBe('kyc.expired');
  });

  it('a repeated Idempotency-Key answers POST /kyc word for word', async () => {
    const path = kycOf(await harness.addEndUser());
    const headers = { 'idempotency-key': 'kyc-once' };
    const first = await harness.post(path, {}, headers);
    const second = await harness.post(path, {}, headers);
    expect([second.statusCode, second.headers['idempotent-replayed']]).toEqual([201, 'true']);
    expect(second.body).toBe(first.body);
  });

  it.each([
    'ftp://example.com',
    'javascript:alert(1)',
    'example.com',
    `https://${'x'.repeat(2050)}`,
    7,
  ])('refuses the redirectUrl %.30s with 400', async (redirectUrl) => {
    const answer = await harness.post(kycOf(await harness.addEndUser()), { redirectUrl });
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({
      error: 'validation_failed',
      details: [{ path: '/redirectUrl' }],
    });
  });

  it('refuses a redirectUrl without TLS of a live key with 400', async () => {
    const authorization = `Bearer ${await harness.addKey('live', harness.scope.customerId)}`;
    const url = kycOf(await harness.addEndUser('Sample', { authorization }));
    const answer = await harness.post(
      url,
      { redirectUrl: 'http://example.com/done' },
      { authorization },
    );
    expect([answer.statusCode, answer.json().details]).toEqual([
      400,
      [expect.objectContaining({ path: '/redirectUrl', message: 'Use https with a live key.' })],
    ]);
  });

  it('POST /kyc refuses an unknown field with 400', async () => {
    const answer = await harness.post(kycOf(await harness.addEndUser()), { state: 'APPROVED' });
    expect(answer.statusCode).toBe(400);
    expect(answer.json().details).toMatchObject([{ path: '/state' }]);
  });

  it('POST /kyc refuses a closed end-user with 422 end_user_not_active', async () => {
    const endUserId = await harness.addEndUser();
    await harness.database.db.write(harness.scope, (tx) =>
      tx.query("UPDATE end_users SET status = 'CLOSED' WHERE id = $1", [endUserId]),
    );
    const answer = await harness.post(kycOf(endUserId));
    expect(answer.statusCode).toBe(422);
    expect(answer.json().error).toBe('end_user_not_active');
  });

  it('POST /kyc answers missing, malformed and foreign end-users alike, byte for byte', async () => {
    const endUserId = await harness.addEndUser();
    await harness.post(kycOf(endUserId));
    const stranger = await harness.addKey('test');
    const live = await harness.addKey('live', harness.scope.customerId);
    const as = (token: string) => ({ authorization: `Bearer ${token}` });
    const answers = [
      await harness.post(kycOf('eu_01k6b7q0e8f1htx9n3r5p7v2ab')),
      await harness.post(kycOf('nonsense')),
      await harness.post(kycOf(endUserId), {}, as(stranger)),
      await harness.post(kycOf(endUserId), {}, as(live)),
      await harness.get(kycOf('eu_01k6b7q0e8f1htx9n3r5p7v2ab')),
      await harness.get(kycOf(endUserId), stranger),
      await harness.get(kycOf(endUserId), live),
      // No check of this one was started.
      await harness.get(kycOf(await harness.addEndUser())),
    ];
    const bodies = answers.map((answer) => {
      expect(answer.statusCode).toBe(404);
      return answer.body.replace(/req_[0-9a-z]+/, 'req_');
    });
    expect(new Set(bodies).size).toBe(1);
  });
});

describe('an environment without a KYC provider', () => {
  it('without a KYC provider no check starts: 503 service_unavailable', async () => {
    const bare = await createKycHarness({ test: SECRETS.test });
    try {
      const authorization = `Bearer ${await bare.addKey('live', bare.scope.customerId)}`;
      const endUserId = await bare.addEndUser('Sample', { authorization });
      const answer = await bare.post(kycOf(endUserId), {}, { authorization });
      expect(answer.statusCode).toBe(503);
      expect(answer.json().error).toBe('service_unavailable');
    } finally {
      await bare.close();
    }
  });
});

describe('an environment whose KYC provider was taken away', () => {
  it('repeats the answer that was given under a key', async () => {
    const endUserId = await harness.addEndUser();
    const key = { 'idempotency-key': 'provider-then' };
    const first = await harness.post(kycOf(endUserId), {}, key);
    expect(first.statusCode).toBe(201);
    const later = buildCheckedApp({ ...harness.deps, settings: testSettings() });
    const again = await later.inject({
      ...{ method: 'POST', url: `/api/v1${kycOf(endUserId)}`, payload: {} },
      headers: { ...harness.headers, ...key },
    });
    expect([again.statusCode, again.body]).toEqual([201, first.body]);
    await later.close();
  });
});

describe('a check of data that was changed since', () => {
  it('is followed by a new one with the data of today, which the same POST then answers', async () => {
    const endUserId = await harness.addEndUser();
    const first = await harness.post(kycOf(endUserId));
    const patched = await harness.app.inject({
      method: 'PATCH',
      url: `/api/v1/end-users/${endUserId}`,
      headers: harness.headers,
      payload: { individual: { lastName: 'Other' } },
    });
    expect(patched.json()).toMatchObject({ kycStatus: 'PENDING' });
    const second = await harness.post(kycOf(endUserId));
    expect([first.statusCode, second.statusCode]).toEqual([201, 201]);
    expect(second.json().id).not.toBe(first.json().id);
    expect(harness.started.at(-1)).toMatchObject({ kycCheckId: second.json().id, round: 2 });
    const again = await harness.post(kycOf(endUserId));
    expect([again.statusCode, again.json().id]).toEqual([200, second.json().id]);
    const callback = { reference: first.json().id, status: 'APPROVED', reasons: [], version: 5 };
    expect((await harness.callBack(callback)).statusCode).toBe(202);
  });
});
