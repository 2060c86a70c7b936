import { afterAll, beforeAll, expect, it } from 'vitest';
import { FAILURE_CODES } from '../../../src/domain/payments/failures/failure-catalogue.ts';
import { createPaymentHarness, type PaymentHarness } from '../../support/payment-harness.ts';

let harness: PaymentHarness;
beforeAll(async () => {
  harness = await createPaymentHarness();
});
afterAll(() => harness.close());

interface Listed {
  readonly data: readonly { readonly code: string; readonly railCodes: readonly string[] }[];
  readonly hasMore: boolean;
  readonly nextCursor: string | null;
}

it('every reason is listed with what to do next, in one answer or page by page', async () => {
  const whole = (await harness.ask({ url: '/failure-codes' })).json<Listed>();
  expect(whole.data.map(({ code }) => code)).toEqual(FAILURE_CODES);
  expect(whole).toMatchObject({ hasMore: false, nextCursor: null });
  expect(whole.data.find(({ code }) => code === 'account_closed')).toMatchObject({
    ...{ category: 'BANK_REJECTED', retryable: false, action: 'CORRECT_ACCOUNT' },
    railCodes: expect.arrayContaining(['AC04', 'ACCOUNT_CLOSED', 'R02']) as string[],
  });
  const paged: string[] = [];
  for (let after: string | null = ''; after !== null;) {
    const answer = await harness.ask({ url: `/failure-codes?limit=7${after}` });
    const page: Listed = answer.json();
    paged.push(...page.data.map(({ code }) => code));
    after = page.nextCursor === null ? null : `&cursor=${page.nextCursor}`;
  }
  expect(paged).toEqual(FAILURE_CODES);
});

it('it takes a key, and tells of compliance no rail code', async () => {
  const without = await harness.app.inject({ url: '/api/v1/failure-codes' });
  expect(without.statusCode).toBe(401);
  const { data } = (await harness.ask({ url: '/failure-codes' })).json<Listed>();
  expect(data.find(({ code }) => code === 'compliance_declined')?.railCodes).toEqual([]);
  expect(JSON.stringify(data)).not.toMatch(/RR04|FRAD|R16/);
});
