import { expect } from 'vitest';
import { approveEndUser } from './approve-end-user.ts';
import { IBAN, type Payer, type PaymentHarness } from './payment-harness.ts';

export type Recipient = Pick<Payer, 'endUserId' | 'kycCheckId' | 'bankAccountId'>;

/** One more approved end-user of the harness's customer, with an account; in Germany unless told otherwise. */
export async function addRecipient(
  harness: PaymentHarness,
  overrides: {
    readonly holderName?: string;
    readonly details?: object;
    readonly country?: string;
    readonly currency?: string;
    /** Until when the end-user's approval holds. */
    readonly approvedUntil?: Date;
  } = {},
): Promise<Recipient> {
  const { approvedUntil, ...account } = overrides;
  const post = async (url: string, body: object): Promise<string> => {
    const answer = await harness.ask({ method: 'POST', url, body });
    expect(answer.statusCode, answer.body).toBe(201);
    return answer.json<{ id: string }>().id;
  };
  const individual = { firstName: 'Grace', lastName: 'Sample' };
  const endUserId = await post('/end-users', { type: 'INDIVIDUAL', individual });
  const { db } = harness.database;
  const now = harness.clock.now();
  const kycCheckId = await approveEndUser(db, harness.scope, endUserId, now, approvedUntil);
  const bankAccountId = await post('/bank-accounts', {
    ...{ endUserId, country: 'DE', currency: 'EUR', details: { iban: IBAN } },
    ...{ holderName: 'Grace Sample', holderType: 'INDIVIDUAL', ...account },
  });
  return { endUserId, kycCheckId, bankAccountId };
}
