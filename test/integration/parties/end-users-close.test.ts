import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createEndUserHarness,
  type EndUserHarness,
} from '../../support/parties/end-user-harness.ts';

let harness: EndUserHarness;
beforeAll(async () => {
  harness = await createEndUserHarness();
});
afterAll(() => harness.close());

const ada = { type: 'INDIVIDUAL', individual: { firstName: 'Ada', lastName: 'Sample' } };

describe('DELETE /end-users/{id}', () => {
  it('closes for good: CLOSED, one version, one event, and still readable', async () => {
    const { id } = await harness.create(ada);
    const answer = await harness.shut(id);
    expect([answer.statusCode, answer.body]).toEqual([204, '']);
    expect((await harness.read(id)).json()).toMatchObject({ status: 'CLOSED', version: 2 });
    expect(await harness.events(id)).toEqual(['1 end_user.created', '2 end_user.closed']);
  });

  it('again answers the same and changes nothing, whatever version is named', async () => {
    const { id } = await harness.create(ada);
    await harness.shut(id, { 'if-match': '"1"' });
    const again = await Promise.all([
      harness.shut(id),
      harness.shut(id, { 'if-match': '"1"' }),
      harness.shut(id, { 'if-match': '"2"' }),
    ]);
    expect(again.map(({ statusCode }) => statusCode)).toEqual([204, 204, 204]);
    expect(await harness.events(id)).toHaveLength(2);
  });

  it('of many at once closes once', async () => {
    const { id } = await harness.create(ada);
    const answers = await Promise.all(Array.from({ length: 6 }, () => harness.shut(id)));
    expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([204]));
    expect(await harness.events(id)).toHaveLength(2);
  });

  it.each([
    ['PROCESSING', 'QUEUED', 409],
    ['ON_HOLD', 'KYC_WITHDRAWN', 409],
    ['SENT', 'IN_RAIL', 409],
  ])('is refused while a payment is %s', async (status, detail, expected) => {
    const payer = await harness.addPayer(harness.scope);
    const { endUserId, bankAccountId } = payer;
    const paid = await harness.pay(harness.order({ endUserId, bankAccountId }));
    expect(paid.statusCode, paid.body).toBe(201);
    await harness.rows('ALTER TABLE payments DISABLE TRIGGER USER');
    await harness.rows('UPDATE payments SET status = $2, status_detail = $3 WHERE id = $1', [
      paid.json().id,
      status,
      detail,
    ]);
    await harness.rows('ALTER TABLE payments ENABLE TRIGGER USER');
    const answer = await harness.shut(endUserId);
    expect(answer.statusCode).toBe(expected);
    expect(answer.json().error).toBe('end_user_has_open_payments');
    expect((await harness.read(endUserId)).json()).toMatchObject({ status: 'ACTIVE' });
  });

  it.each(['COMPLETED', 'FAILED', 'RETURNED'])('is done where all are %s', async (status) => {
    const { endUserId, bankAccountId } = await harness.addPayer(harness.scope);
    const paid = await harness.pay(harness.order({ endUserId, bankAccountId }));
    await harness.rows('ALTER TABLE payments DISABLE TRIGGER USER');
    await harness.rows('UPDATE payments SET status = $2 WHERE id = $1', [paid.json().id, status]);
    await harness.rows('ALTER TABLE payments ENABLE TRIGGER USER');
    expect((await harness.shut(endUserId)).statusCode).toBe(204);
  });

  it('and payments at once: a payment is accepted or the end-user closed, never both', async () => {
    for (let round = 0; round < 6; round += 1) {
      const { endUserId, bankAccountId } = await harness.addPayer(harness.scope);
      const order = harness.order({ endUserId, bankAccountId });
      const [closed, ...paid] = await Promise.all([
        harness.shut(endUserId),
        ...Array.from({ length: 4 }, () => harness.pay(order)),
      ]);
      const accepted = paid.filter(({ statusCode }) => statusCode === 201);
      const refused = paid.filter(({ statusCode }) => statusCode === 422);
      expect(accepted.length + refused.length).toBe(4);
      expect(closed.statusCode).toBe(accepted.length > 0 ? 409 : 204);
      for (const answer of refused) expect(answer.json().error).toBe('end_user_not_active');
    }
  });

  it('leaves nothing to be done for a closed end-user', async () => {
    const { endUserId, bankAccountId } = await harness.addPayer(harness.scope);
    await harness.shut(endUserId);
    const account = { country: 'DE', currency: 'EUR', details: { iban: 'DE02120300000000202051' } };
    const holder = { holderName: 'Ada Sample', holderType: 'INDIVIDUAL' };
    const answers = [
      await harness.patch(endUserId, { email: null }),
      await harness.pay(harness.order({ endUserId, bankAccountId })),
      await harness.ask({
        method: 'POST',
        url: '/bank-accounts',
        body: { endUserId, ...account, ...holder },
      }),
    ];
    expect(answers.map((answer) => [answer.statusCode, answer.json().error])).toEqual(
      Array(3).fill([422, 'end_user_not_active']),
    );
  });

  it('takes no body but an empty one', async () => {
    const { id } = await harness.create(ada);
    const answer = await harness.app.inject({
      method: 'DELETE',
      url: `/api/v1/end-users/${id}`,
      headers: harness.headers,
      payload: { force: true },
    });
    expect(answer.statusCode).toBe(400);
    expect((await harness.read(id)).json()).toMatchObject({ status: 'ACTIVE' });
  });
});

describe('GET /end-users', () => {
  it('is narrowed by type, status and time of registration', async () => {
    const { token } = await harness.addPayer({ ...harness.scope, environment: 'live' });
    const list = async (query: string): Promise<string[]> => {
      const answer = await harness.ask({ url: `/end-users?${query}`, token });
      expect(answer.statusCode, answer.body).toBe(200);
      return answer.json<{ data: { id: string }[] }>().data.map(({ id }) => id);
    };
    const [first] = await list('');
    const early = harness.clock.now();
    harness.clock.advance(3_600_000);
    const person = { firstName: 'Ada', lastName: 'Sample' };
    const business = { legalName: 'Sample GmbH', persons: [person] };
    const made = await harness.ask({
      method: 'POST',
      url: '/end-users',
      body: { type: 'BUSINESS', business },
      token,
    });
    const { id } = made.json<{ id: string }>();
    expect(await list('type=BUSINESS')).toEqual([id]);
    expect(await list('type=INDIVIDUAL')).toEqual([first]);
    expect(await list(`createdAfter=${early.toISOString()}`)).toEqual([id]);
    expect(await list(`createdBefore=${harness.clock.now().toISOString()}`)).toEqual([first]);
    const between = `createdAfter=${early.toISOString()}&createdBefore=${harness.clock.now().toISOString()}`;
    expect(await list(between)).toEqual([]);
    await harness.app.inject({
      method: 'DELETE',
      url: `/api/v1/end-users/${id}`,
      headers: { authorization: `Bearer ${token}` },
    });
    expect(await list('status=CLOSED&type=BUSINESS')).toEqual([id]);
    expect(await list('status=ACTIVE')).toEqual([first]);
  });

  it.each(['type=ROBOT', 'createdAfter=yesterday', 'createdBefore=2026-12-31T23:59:60Z'])(
    'refuses ?%s with 400 invalid_parameter',
    async (query) => {
      const answer = await harness.ask({ url: `/end-users?${query}` });
      expect([answer.statusCode, answer.json().error]).toEqual([400, 'invalid_parameter']);
    },
  );
});
