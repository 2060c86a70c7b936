import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createEndUserHarness,
  type EndUserHarness,
} from '../../support/parties/end-user-harness.ts';
import { makeOwnEntity, OWN_COMPANY } from '../../support/own-entity.ts';
import { addApiKey, addCustomer } from '../../support/test-customer.ts';
import { IBAN } from '../../support/payment-harness.ts';
import type { Scope } from '../../../src/domain/scope.ts';

let harness: EndUserHarness;
let selfId: string;
let live: { readonly selfId: string; readonly token: string };
let stranger: string;
beforeAll(async () => {
  harness = await createEndUserHarness();
  selfId = (await makeOwnEntity(harness.deps, harness.scope)).id;
  const scope: Scope = { ...harness.scope, environment: 'live' };
  live = { selfId: (await makeOwnEntity(harness.deps, scope)).id, token: await keyOf(scope) };
  const customerId = await harness.database.db.system((tx) => addCustomer(tx));
  stranger = await keyOf({ customerId, environment: 'test' });
});
afterAll(() => harness.close());

async function keyOf(scope: Scope): Promise<string> {
  const key = await harness.database.db.system((tx) =>
    addApiKey(tx, harness.vault, { ...scope, approvedRanges: ['127.0.0.1/32'] }),
  );
  return key.token;
}
const account = (endUserId: string) => ({
  ...{ endUserId, country: 'DE', currency: 'EUR', details: { iban: IBAN } },
  ...{ holderName: 'Sample Ltd', holderType: 'BUSINESS' },
});
const addAccount = (endUserId: string, token = harness.token) =>
  harness.ask({ method: 'POST', url: '/bank-accounts', body: account(endUserId), token });

describe('the end-user that is the customer itself', () => {
  it('is read and found as SELF, every other end-user as CLIENT', async () => {
    expect((await harness.read(selfId)).json()).toMatchObject({
      ...{ id: selfId, relationship: 'SELF', type: 'BUSINESS', status: 'ACTIVE' },
      business: { legalName: OWN_COMPANY.legalName },
    });
    const find = async (query: string) =>
      (await harness.ask({ url: `/end-users?${query}` })).json<{ data: { id: string }[] }>().data;
    expect((await find('relationship=SELF')).map(({ id }) => id)).toEqual([selfId]);
    expect((await find('relationship=SELF&type=INDIVIDUAL')).map(({ id }) => id)).toEqual([]);
    const clients = await find('relationship=CLIENT');
    expect(clients.map(({ id }) => id)).toContain(harness.payer.endUserId);
    expect(clients.map(({ id }) => id)).not.toContain(selfId);
    expect((await harness.ask({ url: '/end-users?relationship=OTHER' })).statusCode).toBe(400);
  });

  it('cannot be made by a key, whatever its body says', async () => {
    const body = { type: 'BUSINESS', business: OWN_COMPANY, relationship: 'SELF' };
    const answer = await harness.ask({ method: 'POST', url: '/end-users', body });
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({ details: [{ path: '/relationship' }] });
    const patch = await harness.patch(harness.payer.endUserId, { relationship: 'SELF' });
    expect(patch.statusCode).toBe(400);
  });

  it.each([
    ['changed', () => harness.patch(selfId, { business: { legalName: 'Thief Ltd' } })],
    ['changed at its version', () => harness.patch(selfId, { email: null }, { 'if-match': '"1"' })],
    ['closed', () => harness.shut(selfId)],
    ['erased', () => harness.ask({ method: 'POST', url: `/end-users/${selfId}/erase`, body: {} })],
  ])('is not %s by a key: 403 operators_only', async (_, ask) => {
    const answer = await ask();
    expect(answer.statusCode, answer.body).toBe(403);
    expect(answer.json()).toMatchObject({ error: 'operators_only' });
    expect((await harness.read(selfId)).json()).toMatchObject({ status: 'ACTIVE', version: 1 });
    expect(await harness.events(selfId)).toEqual(['1 end_user.created']);
  });

  it("is the customer's alone, in its own environment", async () => {
    for (const token of [stranger, live.token]) {
      expect((await harness.ask({ url: `/end-users/${selfId}`, token })).statusCode).toBe(404);
      const added = await addAccount(selfId, token);
      expect(added.statusCode).toBe(422);
      expect(added.json()).toMatchObject({ error: 'resource_not_found' });
    }
    const found = await harness.ask({ url: '/end-users?relationship=SELF', token: stranger });
    expect(found.json()).toMatchObject({ data: [] });
  });
});

describe("an account of the customer's own", () => {
  it('is registered by a key in test', async () => {
    const answer = await addAccount(selfId);
    expect(answer.statusCode, answer.body).toBe(201);
    expect(answer.json()).toMatchObject({ endUserId: selfId, status: 'ACTIVE', version: 1 });
  });

  it('is not by a key in live, whatever was stolen with it: 403 operators_only', async () => {
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => addAccount(live.selfId, live.token)),
    );
    for (const answer of answers) {
      expect(answer.statusCode, answer.body).toBe(403);
      expect(answer.json()).toMatchObject({
        ...{ error: 'operators_only', details: [{ path: '/endUserId' }] },
      });
    }
    expect(
      await harness.rows('SELECT FROM bank_accounts WHERE end_user_id = $1', [live.selfId]),
    ).toEqual([]);
  });

  it("of a client's is registered in live as ever", async () => {
    const individual = { firstName: 'Ada', lastName: 'Sample' };
    const body = { type: 'INDIVIDUAL', individual };
    const { token } = live;
    const made = await harness.ask({ method: 'POST', url: '/end-users', body, token });
    expect((await addAccount(made.json<{ id: string }>().id, token)).statusCode).toBe(201);
  });
});
