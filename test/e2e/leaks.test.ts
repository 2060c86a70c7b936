import { beforeAll, expect, it } from 'vitest';
import { until } from '../support/until.ts';
import { startReceiver } from '../webhooks/receiver.ts';
import { openStack, PLANTED, type Beneficiary } from './stack.ts';
import { readPlaces } from './stack-places.ts';

const stack = openStack();
let to: Beneficiary;
beforeAll(async () => {
  await stack.untilReady();
  to = await stack.addBeneficiary();
});

it('no name, account number, reference or key is found in logs, in Temporal or in webhooks', async () => {
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

  const places = { ...readPlaces(stack.folder), webhooks: Buffer.from(bodies()) };
  // The search works: what may be there is found.
  const temporal = Object.entries(places).filter(([name]) => name.startsWith('temporal.sqlite'));
  expect(temporal.some(([, bytes]) => bytes.includes(ids[0] ?? 'no id'))).toBe(true);

  const { testApiKey, liveApiKey, bankCallbackSecret } = stack.state();
  const secrets = { testApiKey, liveApiKey, bankCallbackSecret, endpoint: endpoint.secret };
  const found = Object.entries({ ...PLANTED, ...secrets }).flatMap(([what, value]) =>
    Object.entries(places).flatMap(([place, bytes]) =>
      bytes.includes(value) ? [`${what} in ${place}`] : [],
    ),
  );
  expect(found).toEqual([]);
});
