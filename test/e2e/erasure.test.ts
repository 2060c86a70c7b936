import { randomUUID } from 'node:crypto';
import { beforeAll, expect, it } from 'vitest';
import { vaultConfig } from '../../src/server/config/vault-config.ts';
import { keepSecrets } from '../../src/cli/dev/dev-secrets.ts';
import { openVault } from '../../src/server/runtime/open-vault.ts';
import { searchDatabase } from '../support/search-database.ts';
import { until } from '../support/until.ts';
import { startReceiver } from '../support/webhooks/receiver.ts';
import { openStack } from '../support/e2e/stack.ts';
import { readPlaces } from '../support/e2e/stack-places.ts';

/** Of one person, and found nowhere else. */
const PLANTED = {
  firstName: 'Erasedfirst',
  lastName: 'Erasedlast',
  birthday: '1971-03-29',
  taxId: 'ERASEDTAX771',
  email: 'erasedmail@example.com',
  street: 'Erasedstreet 71',
  userNote: 'erased-user-note',
  redirect: 'https://example.com/erased-redirect',
  holderName: 'Erasedholder Sample',
  iban: 'GB33BUKB20201555555555',
  reference: 'Erased remittance 7711',
  paymentNote: 'erased-payment-note',
};

const stack = openStack();
beforeAll(() => stack.untilReady());

async function post<Body = { id: string }>(path: string, body: object, key: string = randomUUID()) {
  const answer = await stack.insist<Body>('POST', path, body, { 'idempotency-key': key });
  expect([200, 201], `POST ${path}: ${answer.text}`).toContain(answer.status);
  return answer;
}

/** A planted person with an account, KYC and three payments: delivered, returned and failed. */
async function plantPerson() {
  const person = {
    type: 'INDIVIDUAL',
    individual: {
      ...{ firstName: PLANTED.firstName, lastName: PLANTED.lastName },
      ...{ dateOfBirth: PLANTED.birthday, taxIds: [{ country: 'DE', number: PLANTED.taxId }] },
    },
    email: PLANTED.email,
    address: { line1: PLANTED.street, city: 'Berlin', country: 'DE' },
    metadata: { note: PLANTED.userNote },
  };
  const userKey = randomUUID();
  const { id: endUserId } = (await post('/end-users', person, userKey)).body;
  await post(`/end-users/${endUserId}/kyc`, { redirectUrl: PLANTED.redirect });
  await until('KYC approval', async () => {
    const { body } = await stack.insist('GET', `/end-users/${endUserId}`);
    return body['kycStatus'] === 'APPROVED' ? true : null;
  });
  const account = {
    ...{ endUserId, country: 'GB', currency: 'EUR', rail: 'SEPA' },
    ...{ holderName: PLANTED.holderName, holderType: 'INDIVIDUAL' },
    details: { iban: PLANTED.iban },
  };
  const { id: bankAccountId } = (await post('/bank-accounts', account)).body;
  const pay = async (amount: string, status: string) => {
    const order = {
      ...{ endUserId, bankAccountId, amount, currency: 'EUR', reference: PLANTED.reference },
      metadata: { note: PLANTED.paymentNote },
    };
    const key = randomUUID();
    const first = await post('/payments', order, key);
    await stack.untilPayment(first.body.id, status);
    return { id: first.body.id, order, key, first: first.body as Record<string, unknown> };
  };
  const payments = [
    await pay('71.00', 'COMPLETED'),
    await pay('71.02', 'RETURNED'),
    await pay('71.01', 'FAILED'),
  ];
  return { endUserId, bankAccountId, person, userKey, payments };
}

/** Statements show what the bank did, the delivered payment's return window ends, and all is final. */
async function endAll(endUserId: string): Promise<void> {
  await until(
    'every payment to be final, and on a statement where the bank has seen it',
    async () => {
      const waiting = await stack.sql(
        `SELECT id FROM payments WHERE end_user_id = $1 AND (finality <> 'FINAL'
           OR (status <> 'FAILED' AND reconciliation_status = 'PENDING'))`,
        [endUserId],
      );
      return waiting.length === 0 ? true : null;
    },
  );
  const closed = await stack.call('DELETE', `/end-users/${endUserId}`);
  expect(closed.status, closed.text).toBe(204);
}

it('what was planted in an erased end-user is found nowhere', async () => {
  const receiver = await startReceiver();
  const endpoint = await post('/webhook-endpoints', { url: receiver.url });
  const { endUserId, bankAccountId, person, userKey, payments } = await plantPerson();
  await endAll(endUserId);
  const { encryptionKeys, pepper } = keepSecrets(stack.folder);
  const database = {
    query: (sql: string) => stack.sql(sql),
    vault: await openVault(vaultConfig({ encryptionKeys, pepper })),
  };

  // The search works: while the key is there, everything is found, in every place that had it.
  const before = await searchDatabase(database, PLANTED);
  const places = (found: string[]) => new Set(found.map((one) => one.split(' in ')[1]));
  expect(new Set(before.map((one) => one.split(' in ')[0]))).toEqual(new Set(Object.keys(PLANTED)));
  expect(places(before)).toEqual(
    new Set([
      ...['end_users.personal', 'bank_accounts.personal', 'payments.personal'],
      ...['settlement_attempts.request', 'idempotency_keys.response', 'kyc_checks.redirect_url'],
    ]),
  );
  const [kept] = await stack.sql('SELECT wrapped_key FROM end_user_keys WHERE end_user_id = $1', [
    endUserId,
  ]);

  const erased = await stack.call('POST', `/end-users/${endUserId}/erase`);
  expect(erased.status, erased.text).toBe(200);
  await until('the last webhook', () =>
    receiver.received.find(({ body }) => body.includes(String(erased.body['erasedAt']))),
  );
  await receiver.close();
  await stack.call('DELETE', `/webhook-endpoints/${endpoint.body.id}`);

  expect(await searchDatabase(database, PLANTED)).toEqual([]);
  const webhooks = Buffer.from(receiver.received.map(({ body }) => body).join('\n'));
  const outside = Object.entries({ ...readPlaces(stack.folder), webhooks });
  const leaks = Object.entries(PLANTED).flatMap(([what, value]) =>
    outside.flatMap(([place, bytes]) => (bytes.includes(value) ? [`${what} in ${place}`] : [])),
  );
  expect(leaks).toEqual([]);

  // It is the key alone that hides what lies there still: a thief who had kept it would read on.
  const keptKeys = new Map([[endUserId, kept?.['wrapped_key'] as Buffer]]);
  expect(places(await searchDatabase({ ...database, keptKeys }, PLANTED))).toEqual(
    new Set(['payments.personal', 'settlement_attempts.request', 'idempotency_keys.response']),
  );

  // Nothing breaks over what cannot be read any more.
  for (const path of [
    ...[`/end-users/${endUserId}`, `/end-users/${endUserId}/kyc`, '/end-users?status=CLOSED'],
    ...[`/bank-accounts/${bankAccountId}`, `/bank-accounts?endUserId=${endUserId}`],
    ...payments.flatMap(({ id }) => [`/payments/${id}`, `/payments/${id}/timeline`]),
    `/payments?endUserId=${endUserId}`,
  ]) {
    expect((await stack.call('GET', path)).status, path).toBe(200);
  }
  for (const { order, key, first } of payments) {
    const again = await post<Record<string, unknown>>('/payments', order, key);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    const expectedArrival = { at: null, reason: 'NOT_RECORDED' };
    expect(again.body).toEqual({ ...first, expectedArrival, reference: null, metadata: {} });
  }
  const repeated = await post('/end-users', person, userKey);
  expect(repeated.body).toMatchObject({ id: endUserId, erasedAt: erased.body['erasedAt'] });
});
