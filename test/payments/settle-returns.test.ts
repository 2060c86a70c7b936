import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { storeStatementReport } from '../../src/db/bank-report-store.ts';
import { says } from './scripted-bank.ts';
import { startScriptedWorld, type ScriptedWorld } from './settlement-world.ts';

let world: ScriptedWorld;
beforeAll(async () => {
  world = await startScriptedWorld();
});
afterEach(() => world.expectBooksToHold());
afterAll(() => world.close());

async function paid(status: 'SETTLED' | 'ACCEPTED'): Promise<{ id: string; reference: string }> {
  world.bank.onPut = says(status);
  const id = await world.accept();
  await world.settle(id);
  return { id, reference: (await world.tell(id)).attempts[0]?.reference ?? '' };
}

/** A statement line that says how much came back, in minor units. */
function readOnStatement(paymentId: string, reference: string, amount: bigint): Promise<boolean> {
  const line = { reportId: randomUUID(), paymentId, reference, bankReference: null };
  return world.deps.db.write(world.scope, (tx) =>
    storeStatementReport(
      tx,
      world.scope,
      { ...line, status: 'RETURNED', reason: 'AC04', amount },
      world.clock.now(),
    ),
  );
}

describe('money that comes back', () => {
  it('in full is in the balance again', async () => {
    const before = await world.balance();
    const { id, reference } = await paid('SETTLED');
    await world.callback({ reference, status: 'RETURNED', reason: 'AC04' });
    expect(await world.finalise(id)).toEqual({ kind: 'DONE', status: 'RETURNED' });
    const { payment } = await world.tell(id);
    expect(payment).toMatchObject({ finality: 'FINAL', fundsStatus: 'BACK_IN_BALANCE' });
    expect(payment.returnInfo).toMatchObject({ reason: 'AC04', amount: '1000', fee: '0' });
    expect(await world.balance()).toEqual(before);
  });

  it("less the bank's fee is credited as far as it came, and the fee is told", async () => {
    const before = await world.balance();
    const { id, reference } = await paid('SETTLED');
    await readOnStatement(id, reference, 750n);
    await world.finalise(id);
    const answer = await world.ask({ url: `/payments/${id}` });
    expect(answer.json()).toMatchObject({
      status: 'RETURNED',
      return: { reason: 'AC04', amount: '7.50', fee: '2.50' },
    });
    expect(BigInt(before.available) - BigInt((await world.balance()).available)).toBe(250n);
  });

  it('more than was paid is credited up to what was paid', async () => {
    const before = await world.balance();
    const { id, reference } = await paid('SETTLED');
    await readOnStatement(id, reference, 5_000n);
    await world.finalise(id);
    expect((await world.tell(id)).payment.returnInfo).toMatchObject({ amount: '1000', fee: '0' });
    expect(await world.balance()).toEqual(before);
  });

  it('eaten up by fees returns the payment and credits nothing', async () => {
    const before = await world.balance();
    const { id, reference } = await paid('SETTLED');
    await readOnStatement(id, reference, 0n);
    await world.finalise(id);
    expect((await world.tell(id)).payment).toMatchObject({
      status: 'RETURNED',
      returnInfo: { amount: '0', fee: '1000' },
    });
    expect(BigInt(before.available) - BigInt((await world.balance()).available)).toBe(1_000n);
  });

  it('before anybody said that it was paid: paid and returned, in two versions', async () => {
    const before = await world.balance();
    const { id, reference } = await paid('ACCEPTED');
    await world.callback({ reference, status: 'RETURNED', reason: 'AC04' });
    await world.finalise(id);
    const { story } = await world.tell(id);
    expect(story.slice(-3)).toEqual([
      'SENT/IN_RAIL',
      'COMPLETED/DELIVERED',
      'RETURNED/RETURNED_BY_BANK',
    ]);
    expect(await world.balance()).toEqual(before);
  });

  it('told by callback and by statement comes back once', async () => {
    const before = await world.balance();
    const { id, reference } = await paid('SETTLED');
    await world.callback({ reference, status: 'RETURNED', reason: 'AC04' });
    await readOnStatement(id, reference, 1_000n);
    await world.finalise(id);
    expect(await world.balance()).toEqual(before);
  });
});
