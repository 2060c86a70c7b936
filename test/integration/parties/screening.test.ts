import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ScreeningRef } from '../../../src/domain/workflows/work-refs.ts';
import { buildCheckedApp } from '../../support/checked-app.ts';
import { createPaymentHarness, IBAN, type PaymentHarness } from '../../support/payment-harness.ts';

let harness: PaymentHarness;
beforeAll(async () => {
  harness = await createPaymentHarness();
});
afterAll(() => harness.close());

const endUser = (lastName: string) => ({
  type: 'INDIVIDUAL',
  individual: { firstName: 'Sam', lastName },
});
const account = (holderName: string) => ({
  ...{ endUserId: harness.payer.endUserId, country: 'DE', currency: 'EUR' },
  ...{ holderName, holderType: 'INDIVIDUAL', details: { iban: nextIban() } },
});
let ibans = 0;
/** Another German IBAN each time, with the check digits of ISO 7064. */
function nextIban(): string {
  ibans += 1;
  const bban = `37040044${String(ibans).padStart(10, '0')}`;
  const check = 98n - (BigInt(`${bban}131400`) % 97n);
  return `DE${String(check).padStart(2, '0')}${bban}`;
}
const post = (url: string, body: object) => harness.ask({ method: 'POST', url, body });
const casesOf = (id: string) =>
  harness.rows('SELECT id FROM screening_cases WHERE coalesce(end_user_id, bank_account_id) = $1', [
    id,
  ]);

/** An answer with what is different in every two answers taken out. */
function shapeOf(answer: Awaited<ReturnType<typeof post>>, name: string) {
  const text = answer.body
    .replaceAll(name, 'NAME')
    .replaceAll(/(eu|ba|evt)_[0-9a-z]{26}/g, '$1')
    .replaceAll(/"fingerprint":"[^"]*"/g, '"fingerprint"')
    .replaceAll(/"last4":"[^"]*"/g, '"last4"')
    .replaceAll(/\*{4}[0-9]{4}/g, '****');
  const headers = Object.keys(answer.headers).sort();
  return { status: answer.statusCode, headers, text };
}

describe('a hit at creation', () => {
  it.each([
    ['/end-users', endUser, ['Sanctioned', 'Ordinary']],
    ['/bank-accounts', account, ['Sam Sanctioned', 'Sam Ordinary']],
  ] as const)('opens a case, and POST %s answers as it does without one', async (url, body, of) => {
    const [listed, other] = of;
    const hit = await post(url, body(listed));
    const none = await post(url, body(other));
    expect(hit.statusCode, hit.body).toBe(201);
    expect(shapeOf(hit, listed)).toEqual(shapeOf(none, other));
    const { id } = hit.json<{ id: string }>();
    expect(await casesOf(id)).toHaveLength(1);
    expect(await casesOf(none.json<{ id: string }>().id)).toEqual([]);
    // Read, listed, and told by events alike.
    const reads = await Promise.all(
      [hit, none].map((answer) =>
        harness.ask({ url: `${url}/${answer.json<{ id: string }>().id}` }),
      ),
    );
    const [one, another] = reads.map((answer, at) => shapeOf(answer, of[at] ?? ''));
    expect(one).toEqual(another);
    const events = await harness.rows<{ event: string }>(
      'SELECT event::text FROM events AS event WHERE resource_id = $1',
      [id],
    );
    expect(events).toHaveLength(1);
    expect(JSON.stringify(events)).not.toMatch(/screen|HIT|COMPLIANCE/i);
  });

  it('of one person of a business is one of the business', async () => {
    const persons = [
      { firstName: 'Ada', lastName: 'Sample' },
      { firstName: 'Ivan', lastName: 'Sanctioned' },
    ];
    const business = { legalName: 'Sample GmbH', persons };
    const answer = await post('/end-users', { type: 'BUSINESS', business });
    expect(await casesOf(answer.json<{ id: string }>().id)).toHaveLength(1);
    const clean = { legalName: 'Sample GmbH', persons: persons.slice(0, 1) };
    const other = await post('/end-users', { type: 'BUSINESS', business: clean });
    expect(await casesOf(other.json<{ id: string }>().id)).toEqual([]);
  });

  it('keeps no payment from being accepted', async () => {
    const answer = await post('/bank-accounts', account('Sam Sanctioned'));
    const bankAccountId = answer.json<{ id: string }>().id;
    expect((await harness.pay(harness.order({ bankAccountId }))).statusCode).toBe(201);
  });
});

describe('a change of an end-user', () => {
  it('is looked up in the same transaction, and answers as one without a hit', async () => {
    const created = await post('/end-users', endUser('Ordinary'));
    const { id } = created.json<{ id: string }>();
    const rename = (lastName: string) =>
      harness.app.inject({
        ...{ method: 'PATCH', url: `/api/v1/end-users/${id}` },
        headers: { authorization: `Bearer ${harness.token}` },
        payload: { individual: { lastName } },
      });
    const statusOf = async () =>
      (await harness.rows('SELECT screening_status AS s FROM end_users WHERE id = $1', [id]))[0];
    expect((await rename('Other')).statusCode).toBe(200);
    expect(await statusOf()).toEqual({ s: 'CLEAR' });
    const hit = await rename('Sanctioned');
    expect(hit.statusCode, hit.body).toBe(200);
    expect(hit.body).not.toMatch(/screen|HIT|COMPLIANCE/);
    expect(await statusOf()).toEqual({ s: 'HIT' });
    expect(await casesOf(id)).toHaveLength(1);
  });
});

it('where a look-up takes the network, neither creation nor change waits: a workflow is started for it', async () => {
  const started: ScreeningRef[] = [];
  const app = buildCheckedApp({
    ...harness.deps,
    screener: { screenNew: async () => false },
    workflows: {
      ...harness.deps.workflows,
      startScreening: async (party) => void started.push(party),
    },
  });
  const create = (url: string, payload: object) =>
    app.inject({
      ...{ method: 'POST', url: `/api/v1${url}`, payload },
      headers: { authorization: `Bearer ${harness.token}` },
    });
  const ids = [
    (await create('/end-users', endUser('Sanctioned'))).json<{ id: string }>().id,
    (await create('/bank-accounts', account('Ada Sample'))).json<{ id: string }>().id,
  ];
  const patch = (payload: object) =>
    app.inject({
      ...{ method: 'PATCH', url: `/api/v1/end-users/${ids[0] ?? ''}`, payload },
      headers: { authorization: `Bearer ${harness.token}` },
    });
  expect((await patch({ individual: { lastName: 'Other' } })).statusCode).toBe(200);
  // What changes nothing, and what is refused, start nothing.
  expect((await patch({ individual: { lastName: 'Other' } })).statusCode).toBe(200);
  expect((await patch({ individual: null })).statusCode).toBe(400);
  // The account that is there already, and what is refused, start nothing.
  await create('/bank-accounts', { ...account('Ada Sample'), details: { iban: IBAN } });
  await create('/end-users', { type: 'INDIVIDUAL' });
  await app.close();
  expect(started).toEqual([
    { ...harness.scope, kind: 'END_USER', id: ids[0] },
    { ...harness.scope, kind: 'BANK_ACCOUNT', id: ids[1] },
    { ...harness.scope, kind: 'END_USER', id: ids[0] },
  ]);
});
