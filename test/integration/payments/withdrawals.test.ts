import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTwoOperators, type TwoOperators } from '../../support/two-operators.ts';
import { proposeApproval } from '../../../src/modules/approvals/propose-approval.ts';
import { ownAccountContent } from '../../../src/modules/parties/bank-accounts/activate-own-account.ts';
import { createBankAccount } from '../../../src/modules/parties/bank-accounts/create-bank-account.ts';
import { checkHolderName } from '../../../src/modules/parties/bank-accounts/check-holder-name.ts';
import type { BankAccountRow } from '../../../src/db/parties/bank-account-store.ts';
import type { Scope } from '../../../src/domain/scope.ts';
import { approveEndUser } from '../../support/approve-end-user.ts';
import { makeOwnEntity } from '../../support/own-entity.ts';
import {
  createPaymentHarness,
  IBAN,
  type Payer,
  type PaymentHarness,
} from '../../support/payment-harness.ts';

const asked: string[] = [];
const nameChecks = {
  live: ({ holderName }: { readonly holderName: string }) => {
    asked.push(holderName);
    return Promise.resolve('MATCH' as const);
  },
};
let harness: PaymentHarness;
let scope: Scope;
let payer: Payer;
let selfId: string;
let account: BankAccountRow;
beforeAll(async () => {
  harness = await createPaymentHarness({ nameChecks });
  payer = await harness.addPayer({ ...harness.scope, environment: 'live' });
  ({ scope } = payer);
  selfId = (await makeOwnEntity(harness.deps, scope)).id;
  account = await proposed();
});
afterAll(() => harness.close());

const ownAccount = (holderName = 'Sample Ltd') => ({
  ...{ endUserId: selfId, country: 'DE', currency: 'EUR', details: { iban: IBAN } },
  ...{ holderName, holderType: 'BUSINESS' as const },
});

/** An own account in live that one operator has proposed. */
async function proposed(): Promise<BankAccountRow> {
  const order = ownAccount();
  const nameCheck = await checkHolderName(harness.deps, scope, order, true);
  const registration = { nameCheck, isProposal: true };
  const { row } = await harness.deps.db.write(scope, (tx) =>
    createBankAccount(harness.deps, tx, scope, order, registration),
  );
  return row;
}

let operators: TwoOperators | undefined;
async function approve(row: BankAccountRow): Promise<void> {
  const { people } = harness.database;
  const act = { operator: 'ada', reason: 'as agreed' };
  const proposing = { db: people, clock: harness.clock };
  const id = await proposeApproval(proposing, scope, ownAccountContent(row), act);
  operators ??= createTwoOperators(people, harness.clock);
  const approved = await operators.approve(id ?? '');
  if (approved.code !== 0) throw new Error(approved.error);
}

const withdraw = (more: object = {}) =>
  harness.pay(
    harness.order({ endUserId: selfId, bankAccountId: account.id, ...more }),
    undefined,
    payer.token,
  );

describe('a withdrawal in live', () => {
  it('wants KYC of the company, and an account that two operators have approved', async () => {
    const before = await harness.balance('EUR', scope);
    expect((await withdraw()).json()).toMatchObject({
      error: 'validation_failed',
      details: [{ code: 'kyc_not_approved' }, { code: 'bank_account_pending' }],
    });
    await approveEndUser(harness.deps.db, scope, selfId, harness.clock.now());
    const answers = await Promise.all(Array.from({ length: 5 }, () => withdraw()));
    for (const answer of answers) {
      expect(answer.statusCode, answer.body).toBe(422);
      expect(answer.json()).toMatchObject({
        ...{ error: 'bank_account_pending', details: [{ path: '/bankAccountId' }] },
      });
    }
    expect(await harness.balance('EUR', scope)).toEqual(before);
    const shown = await harness.ask({ url: `/bank-accounts/${account.id}`, token: payer.token });
    expect(shown.json()).toMatchObject({ status: 'PENDING', endUserId: selfId });

    await approve(account);
    const accepted = await withdraw();
    expect(accepted.statusCode, accepted.body).toBe(201);
    expect(accepted.json()).toMatchObject({ kind: 'WITHDRAWAL', amount: '10.00' });
  });

  it('has the name of the holder checked for operators, and for no key that may not register it', async () => {
    expect(account.nameCheck).toBe('MATCH');
    expect(asked).toContain('Sample Ltd');
    const body = ownAccount('Guess Ltd');
    const guess = await harness.ask({
      ...{ method: 'POST', url: '/bank-accounts', body, token: payer.token },
    });
    expect(guess.json()).toMatchObject({ error: 'operators_only' });
    expect(asked).not.toContain('Guess Ltd');
  });

  it('takes no other account under the name of the company, and no own account for a client', async () => {
    const theirs = await withdraw({ bankAccountId: payer.bankAccountId });
    expect(theirs.json()).toMatchObject({ error: 'resource_not_found' });
    const own = await withdraw({ endUserId: payer.endUserId });
    expect(own.json()).toMatchObject({ error: 'resource_not_found' });
  });

  it('is refused once the account is disabled, which a key may do', async () => {
    const url = `/bank-accounts/${account.id}/disable`;
    const disabled = await harness.ask({ method: 'POST', url, body: {}, token: payer.token });
    expect(disabled.json()).toMatchObject({ status: 'DISABLED', version: 3 });
    expect((await withdraw()).json()).toMatchObject({ error: 'bank_account_disabled' });
  });

  it('is refused to an account that was disabled before it was approved', async () => {
    account = await proposed();
    const url = `/bank-accounts/${account.id}/disable`;
    const disabled = await harness.ask({ method: 'POST', url, body: {}, token: payer.token });
    expect(disabled.json()).toMatchObject({ status: 'DISABLED', version: 2 });
    await expect(approve(account)).rejects.toThrow('is DISABLED');
    expect((await withdraw()).json()).toMatchObject({ error: 'bank_account_disabled' });
  });
});

describe('what kind a payment is', () => {
  it('every other one is a PAYOUT', async () => {
    const answer = await harness.pay(harness.order());
    expect(answer.json()).toMatchObject({ kind: 'PAYOUT' });
  });

  it('is not changed, nor claimed for a client, by anything that writes to the database', async () => {
    const id = await harness.accept();
    const change = harness.rows(`UPDATE payments SET kind = 'WITHDRAWAL' WHERE id = $1`, [id]);
    await expect(change).rejects.toMatchObject({ code: '23514' });
    const copy = `INSERT INTO payments (customer_id, environment, id, kind, end_user_id,
        bank_account_id, idempotency_key, workflow_id, rail, currency, amount, source_currency,
        source_amount, personal, status, status_detail, funds_status, refs, created_at, updated_at)
      SELECT customer_id, environment, 'pay_planted', $2, end_user_id, bank_account_id, 'planted',
        'planted', rail, currency, amount, source_currency, source_amount, personal, status,
        status_detail, funds_status, refs, created_at, updated_at FROM payments WHERE id = $1`;
    await expect(harness.rows(copy, [id, 'WITHDRAWAL'])).rejects.toMatchObject({
      message: expect.stringContaining('is no withdrawal') as unknown,
    });
  });
});
