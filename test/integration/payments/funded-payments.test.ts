import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { credit, seeDeposit, type FundedAnswer } from '../../support/funded-payments.ts';
import { publishRates, quote, RATES } from '../../support/quoted-harness.ts';
import {
  createFundedHarness,
  FUNDING,
  minorOf,
  type FundedHarness,
} from '../../support/payments/funded-harness.ts';

let funded: FundedHarness;
beforeAll(async () => {
  funded = await createFundedHarness();
});
afterEach(() => funded.resetRails());
afterAll(() => funded.close());

describe('a payment that a deposit pays for', () => {
  it('waits for it at an address of its own, and holds nothing', async () => {
    const payment = await funded.ordered();
    expect(payment).toMatchObject({
      ...{ status: 'PROCESSING', statusDetail: 'AWAITING_DEPOSIT', fundsStatus: 'AWAITED' },
      cancelable: true,
      funding: { ...FUNDING, amountDue: '25.000000', amountReceived: '0.000000' },
    });
    expect((await funded.usdc()).reserved).toBe(0n);
    expect(await funded.settle(payment.id)).toMatchObject({ kind: 'WAIT', waitMs: 15 * 60_000 });
    expect(funded.chain.orders.size).toBe(0);
  });

  it('leaves once all that is due is there, and is paid out of it', async () => {
    const before = await funded.usdc();
    const payment = await funded.ordered();
    const deposit = await seeDeposit(funded.harness, payment, { amount: minorOf(payment) });
    await funded.wake(payment.id);
    expect(await funded.shown(payment.id)).toMatchObject({
      ...{ statusDetail: 'DEPOSIT_SEEN', fundsStatus: 'ARRIVING' },
      funding: { amountReceived: '0.000000' },
    });
    await credit(funded.harness, deposit);
    expect(await funded.wake(payment.id)).toMatchObject({
      kind: 'WAIT',
      waitMs: 0,
      needsHuman: false,
    });
    expect(await funded.shown(payment.id)).toMatchObject({
      ...{ status: 'PROCESSING', statusDetail: 'QUEUED', fundsStatus: 'HELD', cancelable: false },
      funding: { amountReceived: '25.000000' },
    });
    funded.chain.word = { status: 'SETTLED' };
    await funded.settle(payment.id);
    expect(await funded.shown(payment.id)).toMatchObject({ status: 'COMPLETED' });
    expect(await funded.usdc()).toEqual(before);
  });

  it('takes deposits that add up, and gives what is too much to the balance', async () => {
    const before = await funded.usdc();
    const payment = await funded.ordered();
    const due = minorOf(payment);
    await credit(funded.harness, await seeDeposit(funded.harness, payment, { amount: due - 1n }));
    await funded.wake(payment.id);
    expect(await funded.shown(payment.id)).toMatchObject({
      ...{ statusDetail: 'AWAITING_DEPOSIT', funding: { amountReceived: '24.999999' } },
    });
    const [one, other] = await Promise.all([
      seeDeposit(funded.harness, payment, { amount: 1n }),
      seeDeposit(funded.harness, payment, { amount: 5n }),
    ]);
    await Promise.all([credit(funded.harness, one), credit(funded.harness, other)]);
    funded.chain.word = { status: 'SETTLED' };
    await funded.wake(payment.id);
    await funded.settle(payment.id);
    const { available } = await funded.usdc();
    expect(await funded.shown(payment.id)).toMatchObject({ status: 'COMPLETED' });
    expect(available).toBe(before.available + 5n);
  });

  it('tells each of its versions once, with what was there', async () => {
    const payment = await funded.ordered();
    const deposit = await seeDeposit(funded.harness, payment, { amount: 1n });
    await funded.wake(payment.id);
    await funded.wake(payment.id);
    await credit(funded.harness, deposit);
    await funded.wake(payment.id);
    const rows = await funded.harness.rows<{ detail: string; received: string }>(
      `SELECT data ->> 'statusDetail' AS detail, data -> 'funding' ->> 'amountReceived' AS received
       FROM (SELECT resource_version, body::jsonb -> 'data' AS data FROM events
         WHERE resource_id = $1) AS told ORDER BY resource_version`,
      [payment.id],
    );
    expect(rows).toEqual([
      { detail: 'AWAITING_DEPOSIT', received: '0.000000' },
      { detail: 'DEPOSIT_SEEN', received: '0.000000' },
      { detail: 'AWAITING_DEPOSIT', received: '0.000001' },
    ]);
  });

  it('keeps the rate of its quote, however late the deposit confirms', async () => {
    const { id: quoteId, sourceAmount } = await quote(funded.harness, {
      ...{ sourceCurrency: undefined, sourceAsset: 'USDC', lockFor: '15m', targetAmount: '10.00' },
    });
    const answer = await funded.harness.pay(funded.harness.order({ quoteId, funding: FUNDING }));
    expect(answer.statusCode, answer.body).toBe(201);
    const payment = answer.json<FundedAnswer>();
    expect(payment.funding.amountDue).toBe(sourceAmount);
    const inTime = new Date(payment.funding.expiresAt);
    const deposit = await seeDeposit(funded.harness, payment, {
      ...{ amount: minorOf(payment), minedAt: inTime },
    });
    await publishRates(funded.harness, { ...RATES, EUR: '0.5', USDC: '1' });
    await funded.expire(payment);
    await funded.settle(payment.id);
    await credit(funded.harness, deposit);
    await funded.wake(payment.id);
    expect(await funded.shown(payment.id)).toMatchObject({
      ...{ statusDetail: 'QUEUED', quoteId, source: { asset: 'USDC', amount: sourceAmount } },
    });
    await publishRates(funded.harness, { ...RATES, USDC: '1' }, funded.harness.clock.now());
  });
});

describe('the database', () => {
  const write = (sql: string, values: readonly unknown[]) =>
    funded.harness.database.db.write(funded.harness.scope, (tx) => tx.query(sql, [...values]));
  const move = (id: string, status: string) =>
    write('UPDATE payments SET status = $2, version = version + 1 WHERE id = $1', [id, status]);

  it('lets nothing leave that is not paid for', async () => {
    const { id } = await funded.ordered();
    const send = write(
      `INSERT INTO settlement_attempts (reference, customer_id, environment, payment_id, number,
         rail, request, phase, sent_at, deadline_at, ask_base_at, created_at, updated_at)
       SELECT 'CW' || upper(substr(id, 5)) || '01', customer_id, environment, id, 1, rail, '\\x00',
         'SENDING', created_at, created_at, created_at, created_at, created_at
       FROM payments WHERE id = $1`,
      [id],
    );
    await expect(send).rejects.toMatchObject({ code: '23514' });
  });

  it.each(['CANCELED', 'FAILED', 'EXPIRED'])(
    'refuses that it is %s while its deposit is waited for',
    async (status) => {
      const { id } = await funded.ordered();
      await expect(move(id, status)).rejects.toMatchObject({ code: '23514' });
    },
  );

  it('lets none expire for which a deposit in time may still be found', async () => {
    const payment = await funded.ordered({ amount: '3.00' });
    const close = funded.harness.database.db.write(funded.harness.scope, async (tx) => {
      await tx.query("UPDATE payment_fundings SET status = 'CLOSED' WHERE payment_id = $1", [
        payment.id,
      ]);
      await tx.query(
        "UPDATE payments SET status = 'EXPIRED', version = version + 1 WHERE id = $1",
        [payment.id],
      );
    });
    await expect(close).rejects.toMatchObject({ code: '23514' });
  });

  it('lets nothing be released that was never held for it', async () => {
    const { id } = await funded.ordered();
    const end = funded.harness.database.db.write(funded.harness.scope, async (tx) => {
      await tx.query(
        `INSERT INTO ledger_transactions (id, customer_id, environment, kind, payment_id, created_at)
         SELECT 'ltx_' || substr(id, 5), customer_id, environment, 'RELEASE', id, created_at
         FROM payments WHERE id = $1`,
        [id],
      );
      await tx.query("UPDATE payment_fundings SET status = 'CLOSED' WHERE payment_id = $1", [id]);
      await tx.query(
        "UPDATE payments SET status = 'CANCELED', version = version + 1 WHERE id = $1",
        [id],
      );
    });
    await expect(end).rejects.toMatchObject({ code: '23514' });
  });
});

it('ends with the rate of its quote, though its deposit came in time: whoever holds it has no option', async () => {
  const { id: quoteId } = await quote(funded.harness, {
    ...{ sourceCurrency: undefined, sourceAsset: 'USDC', lockFor: '15m', targetAmount: '10.00' },
  });
  const answer = await funded.harness.pay(funded.harness.order({ quoteId, funding: FUNDING }));
  const payment = answer.json<FundedAnswer & { readonly rateHeldUntil: string }>();
  const deposit = await seeDeposit(funded.harness, payment, { amount: minorOf(payment) });
  await credit(funded.harness, deposit);
  await funded.wake(payment.id);
  expect(await funded.shown(payment.id)).toMatchObject({ fundsStatus: 'HELD' });
  const { available } = await funded.usdc();
  funded.moveTo(new Date(payment.rateHeldUntil));
  await funded.settle(payment.id);
  expect(await funded.shown(payment.id)).toMatchObject({
    ...{ status: 'FAILED', statusDetail: 'QUOTE_EXPIRED', fundsStatus: 'BACK_IN_BALANCE' },
  });
  expect((await funded.usdc()).available).toBe(available + minorOf(payment));
});
