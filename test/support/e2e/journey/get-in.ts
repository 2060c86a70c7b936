import { expect } from 'vitest';
import { confirm, logIn } from './people.ts';
import type { Journey } from './journey.ts';

/** From the public form to a session of the first owner. */
export async function getIn({ owner, first, company, look }: Journey): Promise<void> {
  const { visitor, mailbox, origin, address } = owner;
  await visitor.open(`${origin}/request-access`);
  await look(visitor.page, 'request-access');
  await visitor.fill('Company', company);
  await visitor.press('Send the request');
  expect(await visitor.page.getByRole('alert').textContent()).toContain('Enter');
  await look(visitor.page, 'request-access-wrong');
  await visitor.fill('Your name', 'Sam Sample');
  await visitor.fill('Email address', address);
  await visitor.fill('What do you want to pay?', 'Made-up suppliers in Europe');
  await visitor.press('Send the request');
  await visitor.page.getByRole('heading', { name: 'Request sent' }).waitFor();
  await look(visitor.page, 'request-access-sent');

  await logIn(first, '/requests');
  await look(first.visitor.page, 'ops-requests');
  await first.visitor.follow(company);
  await look(first.visitor.page, 'ops-access-request');
  await first.visitor.press('Approve the request');
  await look(first.visitor.page, 'ops-second-step');
  await confirm(first);
  await first.visitor.page.getByText('Approved', { exact: true }).waitFor();
  await look(first.visitor.page, 'ops-access-request-approved');

  await visitor.open(await mailbox.find(address, /http:\S+\/verify\/[\w-]{43}/));
  await look(visitor.page, 'invitation');
  await visitor.press('Accept and go to the login');
  await look(visitor.page, 'login');
  await visitor.fill('Email address', address);
  await visitor.press('Send the code');
  await look(visitor.page, 'login-code');
  await visitor.fill('8-digit code', '0000 0000');
  await visitor.press('Log in');
  await look(visitor.page, 'login-code-wrong');
  await visitor.fill('8-digit code', await mailbox.code(address));
  await visitor.press('Log in');
  expect(new URL(visitor.page.url()).pathname).toBe('/test/home');
  await look(visitor.page, 'home-first');
}
