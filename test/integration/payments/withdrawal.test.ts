import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { approveEndUser } from '../../support/approve-end-user.ts';
import { makeOwnEntity } from '../../support/own-entity.ts';
import { IBAN } from '../../support/payment-harness.ts';
import { says } from '../../support/payments/scripted-bank.ts';
import {
  startScriptedHarness,
  type ScriptedHarness,
} from '../../support/payments/settlement-harness.ts';

let harness: ScriptedHarness;
let own: { readonly endUserId: string; readonly bankAccountId: string };
beforeAll(async () => {
  harness = await startScriptedHarness();
  const { id: endUserId } = await makeOwnEntity(harness.deps, harness.scope);
  await approveEndUser(harness.deps.db, harness.scope, endUserId, harness.clock.now());
  const body = {
    ...{ endUserId, country: 'DE', currency: 'EUR', details: { iban: IBAN } },
    ...{ holderName: 'Sample Ltd', holderType: 'BUSINESS' },
  };
  const added = await harness.ask({ method: 'POST', url: '/bank-accounts', body });
  own = { endUserId, bankAccountId: added.json<{ id: string }>().id };
});
afterAll(async () => {
  await harness.expectBooksToHold();
  await harness.close();
});

const kindsOfEvents = async (paymentId: string) =>
  harness.rows<{ type: string; kind: string }>(
    `SELECT type, body::jsonb #>> '{data,kind}' AS kind FROM events WHERE resource_id = $1 ORDER BY resource_version`,
    [paymentId],
  );

describe('a withdrawal', () => {
  it('is paid out as any payment is, and told as a WITHDRAWAL wherever it is shown', async () => {
    harness.bank.onPut = says('SETTLED');
    const before = await harness.balance();
    const id = await harness.accept({ ...own, amount: '25.00' });
    const { payment } = await harness.drive(id);
    expect(payment).toMatchObject({ status: 'COMPLETED', kind: 'WITHDRAWAL' });
    expect(BigInt(before.available) - BigInt((await harness.balance()).available)).toBe(2_500n);

    expect((await harness.ask({ url: `/payments/${id}` })).json()).toMatchObject({
      ...{ id, kind: 'WITHDRAWAL', status: 'COMPLETED', endUserId: own.endUserId },
    });
    const events = await kindsOfEvents(id);
    expect(events.map(({ type }) => type)).toContain('payment.completed');
    expect(new Set(events.map(({ kind }) => kind))).toEqual(new Set(['WITHDRAWAL']));
    const moves = await harness.ask({ url: `/balance-transactions?paymentId=${id}` });
    const sources = moves.json<{ data: { source: unknown }[] }>().data.map(({ source }) => source);
    expect(sources).toEqual(
      Array.from({ length: 3 }, () => ({ type: 'payment', id, kind: 'WITHDRAWAL' })),
    );
  });

  it('that the bank refuses is back in the balance', async () => {
    harness.bank.onPut = says('REJECTED', 'AC04');
    const before = await harness.balance();
    const id = await harness.accept(own);
    const { payment } = await harness.drive(id);
    expect(payment).toMatchObject({ status: 'FAILED', kind: 'WITHDRAWAL' });
    expect(await harness.balance()).toEqual(before);
  });

  it('that has not left waits when the account is disabled', async () => {
    const id = await harness.accept(own);
    const url = `/bank-accounts/${own.bankAccountId}/disable`;
    await harness.ask({ method: 'POST', url, body: {} });
    const calls = harness.bank.calls.length;
    await harness.settle(id);
    const { payment } = await harness.tell(id);
    expect(payment).toMatchObject({ status: 'ON_HOLD', statusDetail: 'BANK_ACCOUNT_DISABLED' });
    expect(harness.bank.calls).toHaveLength(calls);
  });
});
