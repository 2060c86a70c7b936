import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { holdStalled } from '../../support/hold-stalled.ts';
import {
  seedPayingCustomer,
  type PayingCustomer,
  type Seeded,
} from '../../support/seed-payments.ts';
import { addTestOperator } from '../../support/test-people.ts';
import { startSite, type Site } from '../../support/web/site.ts';

let site: Site;
let customer: PayingCustomer;
let cookies: Readonly<Record<'ada' | 'ben' | 'compliance' | 'support', string>>;
const wakes: string[] = [];

beforeAll(async () => {
  site = await startSite('console', {
    workflows: { wakePayment: async (workflowId) => void wakes.push(workflowId) },
  });
  customer = await seedPayingCustomer(site.database.db);
  const logIn = async (role: 'OPERATIONS' | 'COMPLIANCE' | 'SUPPORT') =>
    site.logIn((await addTestOperator(site.people, role)).id);
  cookies = {
    ...{ ada: await logIn('OPERATIONS'), ben: await logIn('OPERATIONS') },
    ...{ compliance: await logIn('COMPLIANCE'), support: await logIn('SUPPORT') },
  };
});
afterAll(() => site.close());

async function stalled(): Promise<Seeded> {
  const sent = await customer.pay({ fate: 'UNKNOWN', at: new Date('2026-01-02T00:00:00.000Z') });
  await holdStalled({ db: site.database.db, clock: site.clock }, customer.scope, sent.id);
  return sent;
}

async function act(path: string, fields: Record<string, string>, cookie: string) {
  const second = await site.submit(path, path, { reason: 'as agreed', ...fields }, cookie);
  return second.status === 200 ? site.confirm(second, path, cookie) : second;
}

const statusOf = async ({ id }: Seeded) =>
  (
    await site.people.people.system((tx) =>
      tx.query<{ status: string }>('SELECT status FROM payments WHERE id = $1', [id]),
    )
  )[0]?.status;

describe('a payment whose outcome is unknown', () => {
  it.each([
    ['confirm-settled', { bankReference: 'BANK-9' }, 'COMPLETED'],
    ['confirm-failed', {}, 'FAILED'],
  ] as const)('%s: one operator proposes, another one ends it', async (verb, more, ended) => {
    const held = await stalled();
    const fields = { attempt: held.reference, evidence: 'CASE 4711', ...more };
    const proposed = await act(`/payments/${held.id}/${verb}`, fields, cookies.ada);
    expect(proposed.status).toBe(303);
    const approval = String(proposed.headers.location);
    const shown = await site.get(approval, cookies.ben);
    for (const said of [held.reference, 'CASE 4711', held.id]) expect(shown.body).toContain(said);
    expect((await act(`${approval}/approve`, {}, cookies.ada)).status).toBe(409);
    expect(await statusOf(held)).toBe('ON_HOLD');
    expect((await site.get(`${approval}/approve`, cookies.compliance)).status).toBe(403);
    expect((await act(`${approval}/approve`, {}, cookies.ben)).status).toBe(303);
    expect(await statusOf(held)).toBe(ended);
    expect(wakes.length).toBeGreaterThan(0);
    expect((await site.get(approval, cookies.ben)).body).toContain('In effect');
    const later = await act(`/payments/${held.id}/${verb}`, fields, cookies.ada);
    expect([later.status, later.body.includes('Operators cannot decide the outcome')]).toEqual([
      409,
      true,
    ]);
  });

  it('is offered to those with the right alone, and so is its retry', async () => {
    const held = await stalled();
    const linksFor = async (cookie: string) => {
      const { body } = await site.get(`/payments/${held.id}`, cookie);
      return ['retry', 'confirm-settled', 'confirm-failed'].filter((verb) =>
        body.includes(`/payments/${held.id}/${verb}`),
      );
    };
    expect(await linksFor(cookies.ada)).toEqual(['retry', 'confirm-settled', 'confirm-failed']);
    for (const cookie of [cookies.compliance, cookies.support]) {
      expect(await linksFor(cookie)).toEqual([]);
      expect((await site.get(`/payments/${held.id}/confirm-failed`, cookie)).status).toBe(403);
      expect((await site.get(`/payments/${held.id}/retry`, cookie)).status).toBe(403);
    }
  });

  it('wrong fields come back as they were, with what is wrong', async () => {
    const held = await stalled();
    const path = `/payments/${held.id}/confirm-settled`;
    const fields = { attempt: held.reference, evidence: 'a <b>', bankReference: '' };
    const answer = await act(path, fields, cookies.ada);
    expect(answer.status).toBe(422);
    expect(answer.body).toContain('Enter the bank’s reference.');
    expect(answer.body).toContain('Enter a number or code');
    const foreign = await act(
      path,
      { attempt: 'CWNOSUCH', evidence: 'C1', bankReference: 'B1' },
      cookies.ada,
    );
    expect(foreign.status).toBe(409);
    expect(await statusOf(held)).toBe('ON_HOLD');
  });

  it('one that is held for something else is not retried from its page', async () => {
    const paid = await customer.pay({
      fate: 'COMPLETED',
      at: new Date('2026-01-02T00:00:00.000Z'),
    });
    const { body } = await site.get(`/payments/${paid.id}`, cookies.ada);
    expect(body).not.toContain('/retry');
    expect(body).not.toContain('/confirm-');
  });
});
