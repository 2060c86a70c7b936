import { expect } from 'vitest';
import { until } from '../../until.ts';
import { withKey } from './api.ts';
import { makeKey } from './first-payment.ts';
import { approve } from './go-live.ts';
import type { Journey } from './journey.ts';
import { confirm } from './people.ts';

/** Where the partner's program of a test is seen to be. */
const OWN_ADDRESS = '127.0.0.1';

/** A live key is refused, its address is proposed from the refusal, two operators agree, and money moves: the payment's id. */
export async function payLive(journey: Journey): Promise<string> {
  const { owner, first, stack, look } = journey;
  const { visitor, origin } = owner;
  const { page } = visitor;
  const token = await makeKey(journey, 'live');
  const keyPage = page.url();
  const partner = withKey(stack.state().apiUrl, token);
  const refused = await partner.call('GET', '/balances');
  expect(refused).toMatchObject({ status: 403, body: { error: 'ip_not_allowed' } });

  await until('the refusal in the request log', async () => {
    await visitor.open(`${origin}/live/requests`);
    return (await page.getByText('ip_not_allowed').count()) > 0 || null;
  });
  await look(page, 'live-request-refused');
  await visitor.open(keyPage);
  await look(page, 'live-key-refused');
  await visitor.follow(`Propose ${OWN_ADDRESS}`);
  expect(await page.getByLabel('IP address or range').inputValue()).toBe(OWN_ADDRESS);
  await visitor.fill('Label', 'Payout server');
  await look(page, 'live-address-new');
  await visitor.press('Propose');
  await confirm(owner);
  await look(page, 'live-address-waits');

  const operator = first.visitor;
  await operator.open(`${first.origin}/requests/addresses`);
  await look(operator.page, 'ops-addresses');
  await operator.follow(`${OWN_ADDRESS}/32`);
  await look(operator.page, 'ops-address');
  await operator.follow('Propose to approve an address');
  await operator.fill('Reason', 'the address of their payout server');
  await operator.press('Propose approval');
  await confirm(first);
  await look(operator.page, 'ops-address-proposed');
  expect((await partner.call('GET', '/balances')).status).toBe(403);
  await approve(journey, {
    what: 'Allow a live key to be used from an IP address range',
    name: 'address',
  });

  await until('the key to be taken', async () =>
    (await partner.call('GET', '/balances')).status === 200 ? true : null,
  );
  await fillBalance(journey, partner);
  const to = await partner.addBeneficiary();
  const order = { ...to, amount: '40.00', currency: 'EUR', reference: 'Invoice 1002' };
  const id = String((await partner.make('/payments', order))['id']);
  await partner.untilStatus(id, 'COMPLETED');
  await visitor.open(`${origin}/live/payments/${id}`);
  await look(page, 'live-payment');
  return id;
}

/** Money comes to the account at the bank behind live, under the customer's own reference. */
async function fillBalance({ stack }: Journey, partner: ReturnType<typeof withKey>): Promise<void> {
  const { body } = await partner.call('GET', '/funding-instructions');
  const list = body['data'] as { currency: string; reference: string }[];
  const reference = list.find(({ currency }) => currency === 'EUR')?.reference ?? '';
  const put = await fetch(`${stack.state().liveBankUrl}/deposits/journey-${reference}`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ currency: 'EUR', amount: '250.00', remittance: reference }),
  });
  expect(put.status).toBeLessThan(300);
  await until('the money in the live balance', async () => {
    const balances = (await partner.call('GET', '/balances')).body['data'];
    return JSON.stringify(balances).includes('250.00') || null;
  });
}
