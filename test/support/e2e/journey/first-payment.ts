import { expect } from 'vitest';
import { until } from '../../until.ts';
import { withKey } from './api.ts';
import type { Journey } from './journey.ts';
import { confirm } from './people.ts';

/** A key for test, an endpoint, and a payment that its page follows by itself until it is delivered. */
export async function payInTest(journey: Journey): Promise<void> {
  const { owner, stack, receiver, look } = journey;
  const { visitor, origin } = owner;
  const { page } = visitor;
  const token = await makeKey(journey, 'test');

  await visitor.open(`${origin}/test/webhooks`);
  await look(page, 'webhooks-none');
  await visitor.follow(/^Add an endpoint/);
  await look(page, 'webhook-new');
  await visitor.fill('URL', receiver.url);
  await visitor.fill('Description (optional)', 'Orders');
  await visitor.press('Add the endpoint');
  await confirm(owner);
  await look(page, 'webhook-secret');
  const secret = (await page.locator('pre').first().textContent()) ?? '';
  expect(secret).toMatch(/^whsec_/);
  journey.shown.push(secret.trim());

  const partner = withKey(stack.state().apiUrl, token);
  const to = await partner.addBeneficiary();
  await partner.untilFunded('EUR');
  const order = { ...to, amount: '1250.00', currency: 'EUR', reference: 'Invoice 1001' };
  const id = String((await partner.make('/payments', order))['id']);
  await visitor.open(`${origin}/test/payments/${id}`);
  // Gone with the page: a page that still has it has not loaded another one.
  await page.evaluate(() => {
    document.documentElement.dataset['opened'] = 'once';
  });
  await look(page, 'payment-moving');
  await partner.untilStatus(id, 'COMPLETED');
  if (!journey.isFresh) await visitor.open(page.url());
  await page.getByText('On the bank’s statement').first().waitFor({ timeout: 60_000 });
  const opened = await page.evaluate(() => document.documentElement.dataset['opened']);
  expect(opened).toBe(journey.isFresh ? 'once' : undefined);
  await look(page, 'payment-completed');

  await until('the webhook', () => receiver.received.find(({ body }) => body.includes(id)));
  receiver.verifyAll(secret.trim());
  await visitor.open(`${origin}/test/webhooks`);
  await look(page, 'webhooks');
}

/** Makes a key that may do everything, and answers its token, which no page shows again. */
export async function makeKey(journey: Journey, environment: 'test' | 'live'): Promise<string> {
  const { owner, look } = journey;
  const { visitor, origin } = owner;
  const { page } = visitor;
  const prefix = `${environment}-key`;
  await visitor.open(`${origin}/${environment}/keys`);
  await look(page, `${prefix}s-none`);
  await visitor.follow(/^Create (a|the first) key/);
  await look(page, `${prefix}-new`);
  await visitor.fill('Name', 'Payout server');
  await visitor.press('Create the key');
  await look(page, `${prefix}-second-step`);
  await confirm(owner);
  const token = ((await page.locator('#token').textContent()) ?? '').trim();
  expect(token).toMatch(new RegExp(`^cw_${environment}_`));
  journey.shown.push(token);
  await look(page, `${prefix}-shown-once`);
  await visitor.follow('See the key and its IP addresses');
  expect(await page.content()).not.toContain(token);
  await look(page, prefix);
  return token;
}
