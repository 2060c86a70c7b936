import { randomBytes, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { openKey } from '../../src/modules/onchain/signers/sealed-keys.ts';
import { readSignersFile } from '../../src/server/config/chain-signers-file.ts';
import { until } from '../support/until.ts';
import { scrape } from '../support/server/scrape.ts';
import { startReceiver } from '../support/webhooks/receiver.ts';
import { findInDatabase } from '../support/e2e/find-in-database.ts';
import { startSecondApi } from '../support/e2e/second-api.ts';
import { openStack, PLANTED, type Beneficiary } from '../support/e2e/stack.ts';
import { readPlaces } from '../support/e2e/stack-places.ts';

const stack = openStack();
let to: Beneficiary;
beforeAll(async () => {
  await stack.untilReady();
  to = await stack.addBeneficiary();
});

it('no name, account number, reference or key is found in logs, in Temporal, in webhooks or in metrics', async () => {
  const receiver = await startReceiver();
  const { body: endpoint } = await stack.call<{ id: string; secret: string }>(
    'POST',
    '/webhook-endpoints',
    { url: receiver.url },
  );
  const ids = await Promise.all(['30.00', '30.01', '30.02'].map((amount) => stack.pay(to, amount)));
  await stack.untilPayment(ids[0] ?? '', 'COMPLETED');
  await stack.untilPayment(ids[1] ?? '', 'FAILED');
  await stack.untilPayment(ids[2] ?? '', 'RETURNED');
  // What is refused must not be logged either.
  const refused = { ...stack.order(to, '1.001'), bankAccountId: PLANTED.iban };
  expect((await stack.call('POST', '/payments', refused)).status).toBe(400);
  const bodies = () => receiver.received.map(({ body }) => body).join('\n');
  // Of this payment: files that share the stack pay as the same customer.
  const isReturn = ({ body }: { body: string }) =>
    body.includes('payment.returned') && body.includes(ids[2] ?? 'no id');
  await until('the last webhook', () => receiver.received.find(isReturn));
  receiver.verifyAll(endpoint.secret);
  await stack.call('DELETE', `/webhook-endpoints/${endpoint.id}`);
  await receiver.close();

  const places: Record<string, Buffer> = {
    ...readPlaces(stack.folder),
    ...(await readMetrics()),
    webhooks: Buffer.from(bodies()),
  };
  // The search works: what may be there is found.
  const temporal = Object.entries(places).filter(([name]) => name.startsWith('temporal.sqlite'));
  expect(temporal.some(([, bytes]) => bytes.includes(ids[0] ?? 'no id'))).toBe(true);

  expect(places['metrics of worker']?.includes('causeway_payments_finished_total')).toBe(true);
  // No id of anybody either, which other places may have.
  const inMetrics = Object.entries(places).flatMap(([place, bytes]) =>
    place.startsWith('metrics of ') &&
    /\b[a-z]{2,3}_[0-7][0-9a-hjkmnp-tv-z]{25}\b/.test(String(bytes))
      ? [place]
      : [],
  );
  expect(inMetrics).toEqual([]);

  const { testApiKey, liveApiKey, bankCallbackSecret } = stack.state();
  const secrets = { testApiKey, liveApiKey, bankCallbackSecret, endpoint: endpoint.secret };
  const found = Object.entries({ ...PLANTED, ...secrets }).flatMap(([what, value]) =>
    Object.entries(places).flatMap(([place, bytes]) =>
      bytes.includes(value) ? [`${what} in ${place}`] : [],
    ),
  );
  expect(found).toEqual([]);
});

/** What each process exports, by `metrics of PART`. */
async function readMetrics(): Promise<Record<string, Buffer>> {
  const read = Object.entries(stack.state().monitorUrls).map(async ([part, url]) => {
    const text = url === null ? '' : (await scrape(url)).text;
    return [`metrics of ${part}`, Buffer.from(text)] as const;
  });
  return Object.fromEntries(await Promise.all(read));
}

/** What a transfer says of who sends and receives it, plainly made up. */
const TRAVELLER = {
  lastName: 'Plantedtraveller',
  street: 'Plantedstreet 77',
  city: 'Plantedtown',
  taxId: '44077552201',
  vasp: 'Plantedvasp Sample Ltd',
};
/** Names of IVMS101's own fields: a record that is written in the open has them. */
const FIELDS = { field: 'primaryIdentifier', type: 'naturalPersonNameIdentifierType' };

/** The key of the stack's hot address, and the secret that opens it, in each way in which bytes are written. */
function readSignerKey(): Readonly<Record<string, Buffer>> {
  const secretText = readFileSync(join(stack.folder, 'chain/signers.secret'), 'utf8');
  const read = readSignersFile(
    JSON.parse(readFileSync(join(stack.folder, 'chain/signers.json'), 'utf8')),
  );
  const [key] = read.ok ? read.file.keys : [];
  if (key?.kind !== 'LOCAL') throw new Error('the stack has no key of its own');
  const secret = Buffer.from(secretText, 'base64');
  const opened = openKey(secret, { environment: 'test', address: key.address }, key.sealed);
  return {
    key: opened,
    keyHex: Buffer.from(opened.toString('hex')),
    keyBase64: Buffer.from(opened.toString('base64')),
    secret,
    secretHex: Buffer.from(secret.toString('hex')),
    secretBase64: Buffer.from(secretText),
  };
}

it('the key that signs, and who sends a transfer to whom, are found nowhere in the open', async () => {
  const { pids, testApiKey } = stack.state();
  const api = await startSecondApi(pids['api'] ?? 0, {
    ...{ TEST_TRAVEL_RULE: 'every', LOG_LEVEL: 'trace' },
    ...{ TRAVEL_RULE_VASP_NAME: 'Sample Payouts Ltd', TRAVEL_RULE_VASP_COUNTRY: 'DE' },
  });
  const receiver = await startReceiver();
  const endpoint = await stack.call<{ id: string }>('POST', '/webhook-endpoints', {
    url: receiver.url,
  });
  const post = async (path: string, body: object): Promise<{ id: string }> => {
    const answer = await fetch(`${api.url}${path}`, {
      method: 'POST',
      headers: {
        ...{ authorization: `Bearer ${testApiKey}`, 'content-type': 'application/json' },
        'idempotency-key': randomUUID(),
      },
      body: JSON.stringify(body),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${path}: ${String(answer.status)} ${text}`);
    return JSON.parse(text) as { id: string };
  };
  try {
    const { lastName, street, city, taxId, vasp } = TRAVELLER;
    const { id: endUserId } = await post('/end-users', {
      type: 'INDIVIDUAL',
      individual: { firstName: 'Ada', lastName, taxIds: [{ country: 'DE', number: taxId }] },
      address: { line1: street, city, postalCode: '10115', country: 'DE' },
    });
    await post(`/end-users/${endUserId}/kyc`, {});
    await until('KYC approval', async () => {
      const { body } = await stack.insist('GET', `/end-users/${endUserId}`);
      return body['kycStatus'] === 'APPROVED' ? true : null;
    });
    const address = `0x${randomBytes(20).toString('hex')}`;
    const { id: walletId } = await post('/wallets', {
      ...{ endUserId, network: 'BASE', address, ownership: 'HOSTED' },
      vasp: { name: vasp, country: 'DE' },
    });
    const order = { endUserId, walletId, amount: '25.00', asset: 'USDC', sourceCurrency: 'EUR' };
    const { id } = await post('/payments', order);
    await stack.untilPayment(id, 'COMPLETED');
    await until('the webhook of its completion', () =>
      receiver.received.find(({ body }) => body.includes('payment.completed') && body.includes(id)),
    );
    // The record was made, sealed, and the VASP has accepted it.
    const [record] = await stack.sql(
      'SELECT status, octet_length(record) > 500 AS whole FROM travel_rule_records WHERE payment_id = $1',
      [id],
    );
    expect(record).toEqual({ status: 'ACCEPTED', whole: true });

    const ofRecord = Object.fromEntries(
      Object.entries({ ...TRAVELLER, ...FIELDS }).map(([what, text]) => [what, Buffer.from(text)]),
    );
    const planted = { ...ofRecord, ...readSignerKey() };
    const places = {
      ...readPlaces(stack.folder),
      ...(await readMetrics()),
      webhooks: Buffer.from(receiver.received.map(({ body }) => body).join('\n')),
      api: Buffer.from(api.log()),
    };
    // The searches work: what may be there is found.
    expect(places.api.includes('"level"')).toBe(true);
    expect(await findInDatabase(stack.sql, { id: Buffer.from(id) })).toEqual(
      expect.arrayContaining(['id in public.payments', 'id in public.webhook_deliveries']),
    );
    const inPlaces = Object.entries(planted).flatMap(([what, value]) =>
      Object.entries(places).flatMap(([place, bytes]) =>
        bytes.includes(value) ? [`${what} in ${place}`] : [],
      ),
    );
    expect(inPlaces).toEqual([]);
    expect(await findInDatabase(stack.sql, planted)).toEqual([]);
  } finally {
    await stack.call('DELETE', `/webhook-endpoints/${endpoint.body.id}`);
    await receiver.close();
    await api.close();
  }
}, 240_000);
