import { expect } from 'vitest';
import { until } from '../../until.ts';
import type { Journey } from './journey.ts';
import { confirm, logIn } from './people.ts';

/** Company, check, terms, request; then two operators. */
export async function goLive(journey: Journey): Promise<void> {
  const { owner, first, second, company, look } = journey;
  const { visitor, origin } = owner;
  const { page } = visitor;
  await visitor.open(`${origin}/live/keys`);
  await look(page, 'live-before-access');
  await visitor.open(`${origin}/going-live`);
  await look(page, 'going-live-start');
  await visitor.follow('Enter the company’s data');
  await look(page, 'going-live-company');
  await visitor.press('Save');
  await look(page, 'going-live-company-wrong');
  await visitor.fill('Registered name', company);
  await visitor.fill('Registration number', 'HRB 000000');
  await visitor.choose('Country of registration', 'Germany');
  await visitor.fill('Street and number', '1 Sample Street');
  await visitor.fill('City', 'Berlin');
  await visitor.choose('Country of the address', 'Germany');
  await visitor.fill('First name', 'Sam');
  await visitor.fill('Last name', 'Sample');
  await visitor.fill('Date of birth', '1980-01-31');
  await visitor.press('Save');
  await confirm(owner);

  await visitor.press('Start the check');
  await confirm(owner);
  let shown = '';
  await until(
    () => `the company to be approved; the page says ${shown}`,
    async () => {
      await visitor.open(`${origin}/going-live`);
      shown = await page.locator('main').innerText();
      return (await page.getByText('Approved', { exact: true }).count()) > 0 || null;
    },
  );
  await visitor.follow('Read and accept');
  await look(page, 'going-live-terms');
  await visitor.press('Accept these terms');
  await confirm(owner);
  await look(page, 'going-live-ready');
  await visitor.press('Request live access');
  await confirm(owner);
  await look(page, 'going-live-asked');

  const operator = first.visitor;
  await operator.open(`${first.origin}/requests/live`);
  await look(operator.page, 'ops-live-requests');
  await operator.follow(company);
  await look(operator.page, 'ops-live-request');
  await operator.follow('Propose live access');
  await look(operator.page, 'ops-live-propose');
  await operator.fill('Reason', 'company, check and terms are there');
  await operator.press('Propose');
  await confirm(first);
  await look(operator.page, 'ops-live-request-proposed');

  await logIn(second, '/approvals');
  await look(second.visitor.page, 'ops-approvals');
  await approve(journey, { what: 'Allow a customer to move real money', name: 'live-access' });
  await visitor.open(`${origin}/going-live`);
  expect(await page.getByText('Granted', { exact: true }).count()).toBe(1);
  await look(page, 'going-live-granted');
}

/** The second operator opens the proposal that waits, and approves it. */
export async function approve(
  { second, look }: Journey,
  { what, name }: { readonly what: string; readonly name: string },
): Promise<void> {
  const { visitor, origin } = second;
  const { page } = visitor;
  await visitor.open(`${origin}/approvals`);
  await visitor.follow(what);
  await look(page, `ops-approval-${name}`);
  await visitor.follow('Approve a proposal');
  await look(page, `ops-approve-${name}`);
  await visitor.fill('Reason', 'looked at it too');
  await visitor.press('Approve');
  await confirm(second);
  await page.getByText('In effect').first().waitFor();
  await look(page, `ops-approved-${name}`);
}
