import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DepositRow } from '../../../src/db/onchain/deposit-store.ts';
import { checksummed } from '../../../src/domain/onchain/address.ts';
import { blockDeposit } from '../../../src/domain/onchain/deposits/funding-book.ts';
import { addWaitingPayment, hex, type WaitingPayment } from '../../support/deposit-harness.ts';
import { addTestOperator } from '../../support/test-people.ts';
import { startSite, type Site } from '../../support/web/site.ts';

let site: Site;
let cookie: string;
let waiting: WaitingPayment;
let deposit: DepositRow;
beforeAll(async () => {
  site = await startSite('console');
  cookie = await site.logIn((await addTestOperator(site.people, 'SUPPORT')).id);
  const address = checksummed(hex(20).slice(2));
  waiting = await addWaitingPayment(site.database.db, address);
  deposit = await waiting.see();
});
afterAll(() => site.close());

const find = async (text: string): Promise<string> => {
  const answer = await site.get(`/payments?find=${encodeURIComponent(text)}`, cookie);
  expect(answer.status, answer.body).toBe(200);
  return answer.body;
};

describe('a deposit in the console', () => {
  it('is found by its id, its transaction and its address in whatever case', async () => {
    const href = `href="/deposits/${deposit.id}"`;
    const shouted = `0x${deposit.txHash.slice(2).toUpperCase()}`;
    for (const text of [deposit.id, deposit.txHash, shouted]) {
      const page = await find(text);
      expect(page, text).toContain(href);
      expect(page, text).not.toContain('No payment found');
    }
    for (const text of [deposit.to, deposit.to.toLowerCase(), ` ${deposit.to} `]) {
      const page = await find(text);
      expect(page, text).toContain(href);
      expect(page, text).toContain(`href="/payments/${waiting.paymentId}"`);
    }
  });

  it('is not found by what is no whole hash or address, nor by another one', async () => {
    for (const text of [hex(32), hex(20), deposit.txHash.slice(0, 20), deposit.from]) {
      expect(await find(text), text).toContain('No payment found');
    }
  });

  it('has a page that says whose it is, where it lies and what became of it', async () => {
    const { status, body } = await site.get(`/deposits/${deposit.id}`, cookie);
    expect(status).toBe(200);
    for (const told of [deposit.txHash, deposit.to, deposit.from, deposit.blockHash]) {
      expect(body).toContain(told);
    }
    expect(body).toContain(`href="/payments/${waiting.paymentId}"`);
    expect(body).toContain(`href="/customers/${waiting.scope.customerId}"`);
  });

  it('leads to its review while its sender is on a list and ever after, and to none where it never was', async () => {
    const page = async (id: string) => (await site.get(`/deposits/${id}`, cookie)).body;
    const { id } = await waiting.see();
    const href = `href="/reviews/deposits/${id}"`;
    expect(await page(id)).not.toContain('/reviews/deposits/');
    expect(await waiting.take((book) => blockDeposit(book, id))).toBe(true);
    expect(await page(id)).toContain(href);
    expect(await waiting.orphan({ id })).toBe(true);
    expect(await page(id)).toContain(href);
    expect((await site.get(`/reviews/deposits/${id}`, cookie)).status).toBe(200);
  });
});
