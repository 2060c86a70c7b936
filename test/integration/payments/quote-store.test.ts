import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../../src/db/client/new-id.ts';
import {
  deleteUnusedQuotes,
  findQuote,
  insertQuote,
  listQuotes,
  type NewQuote,
} from '../../../src/db/payments/quote-store.ts';
import type { Scope } from '../../../src/domain/scope.ts';
import { useQuote } from '../../support/use-quote.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { raceForQuote } from '../../support/quote-race.ts';
import { addQuote, QUOTED_AT, QUOTE_EXPIRES_AT } from '../../support/sample-quote.ts';
import { seedPayingCustomer } from '../../support/seed-payments.ts';
import { addCustomer } from '../../support/test-customer.ts';

let database: TestDatabase;
let admin: pg.Client;
let scope: Scope;
let paymentIds: string[];
beforeAll(async () => {
  database = await createTestDatabase();
  admin = new pg.Client({ connectionString: database.url });
  await admin.connect();
  const customer = await seedPayingCustomer(database.db);
  scope = customer.scope;
  const paid = await customer.payMany(220, QUOTED_AT, async () => undefined);
  paymentIds = paid.map(({ id }) => id);
});
afterAll(async () => {
  await admin.end();
  await database.close();
});

const payment = () => paymentIds.pop() ?? newId('pay');
const use = (quoteId: string, at: Date, paymentId = payment(), as = scope) =>
  database.db.write(as, (tx) => useQuote(tx, as, { quoteId, paymentId, at }));
const read = (quoteId: string) => database.db.read(scope, (tx) => findQuote(tx, scope, quoteId));
const later = (ms: number) => new Date(QUOTE_EXPIRES_AT.getTime() + ms);

describe('using a quote', () => {
  it('of 200 payments that use one quote at once, one gets it', async () => {
    const payments = paymentIds.splice(0, 200);
    const { winners, refusals, paymentId } = await raceForQuote(database.db, scope, payments);
    expect(winners).toEqual([paymentId]);
    expect(refusals).toEqual({ quote_already_used: 199 });
  });

  it('gives its terms to the payment that it names from then on', async () => {
    const quote = await addQuote(database.db, scope);
    const paymentId = payment();
    const used = await use(quote.id, QUOTED_AT, paymentId);
    expect(used).toEqual({ ...quote, consumedAt: QUOTED_AT, paymentId });
    expect(await read(quote.id)).toEqual(used);
  });

  it('works until the last moment of its lock, and not at its end', async () => {
    const [last, over] = [await addQuote(database.db, scope), await addQuote(database.db, scope)];
    expect((await use(last.id, later(-1))).consumedAt).toEqual(later(-1));
    await expect(use(over.id, later(0))).rejects.toMatchObject({ code: 'quote_expired' });
    await expect(use(last.id, later(0))).rejects.toMatchObject({ code: 'quote_already_used' });
    expect((await read(over.id))?.consumedAt).toBeNull();
  });

  it("does not work with another customer's, another environment's or none", async () => {
    const quote = await addQuote(database.db, scope);
    const other = await database.db.system((tx) => addCustomer(tx));
    const strangers: Scope[] = [
      { customerId: other, environment: 'test' },
      { ...scope, environment: 'live' },
    ];
    for (const stranger of strangers) {
      await expect(use(quote.id, QUOTED_AT, payment(), stranger)).rejects.toMatchObject({
        ...{ code: 'resource_not_found', details: [{ path: '/quoteId' }] },
      });
    }
    await expect(use(newId('quo'), QUOTED_AT)).rejects.toMatchObject({
      code: 'resource_not_found',
    });
    expect((await read(quote.id))?.consumedAt).toBeNull();
  });

  it('is undone with the transaction, and the payment that waits for it has its turn', async () => {
    const quote = await addQuote(database.db, scope);
    const [first, second] = [payment(), payment()];
    let waiting: ReturnType<typeof use> | undefined;
    const failing = database.db.write(scope, async (tx) => {
      await useQuote(tx, scope, { quoteId: quote.id, paymentId: first, at: QUOTED_AT });
      waiting = use(quote.id, QUOTED_AT, second);
      await expect
        .poll(async () => {
          const { rowCount } = await admin.query(
            `SELECT FROM pg_stat_activity WHERE datname = current_database()
               AND wait_event_type = 'Lock' AND query LIKE '%FROM quotes%FOR UPDATE'`,
          );
          return rowCount;
        })
        .toBe(1);
      throw new Error('the balance did not cover it');
    });
    await expect(failing).rejects.toThrow('did not cover');
    expect((await waiting)?.paymentId).toBe(second);
  });

  it('needs the payment to be there when the transaction commits', async () => {
    const quote = await addQuote(database.db, scope);
    await expect(use(quote.id, QUOTED_AT, newId('pay'))).rejects.toThrow('foreign key');
    expect((await read(quote.id))?.consumedAt).toBeNull();
  });

  it('twice for one payment is refused', async () => {
    const [one, two] = [await addQuote(database.db, scope), await addQuote(database.db, scope)];
    const paymentId = payment();
    await use(one.id, QUOTED_AT, paymentId);
    await expect(use(two.id, QUOTED_AT, paymentId)).rejects.toThrow('one_price_at_a_time');
  });
});

describe('the database itself', () => {
  it('keeps the terms of a quote, whichever role asks', async () => {
    const { id } = await addQuote(database.db, scope);
    await expect(
      database.db.write(scope, (tx) =>
        tx.query('UPDATE quotes SET target_amount = 99999 WHERE id = $1', [id]),
      ),
    ).rejects.toThrow('permission denied');
    for (const change of [
      ...['rate = 0.89', 'target_amount = 99999', "expires_at = expires_at + interval '1 h'"],
      ...["consumed_at = created_at, payment_id = 'x', rate = 0.89", 'seq = DEFAULT'],
    ]) {
      await expect(admin.query(`UPDATE quotes SET ${change} WHERE id = '${id}'`)).rejects.toThrow(
        'only ever completed',
      );
    }
  });

  it('keeps a used quote as it is, and for ever', async () => {
    const quote = await addQuote(database.db, scope);
    await use(quote.id, QUOTED_AT);
    for (const statement of [
      `UPDATE quotes SET payment_id = '${payment()}' WHERE id = '${quote.id}'`,
      `UPDATE quotes SET consumed_at = NULL, payment_id = NULL WHERE id = '${quote.id}'`,
    ]) {
      await expect(admin.query(statement)).rejects.toThrow('only ever completed');
    }
    await expect(admin.query(`DELETE FROM quotes WHERE id = '${quote.id}'`)).rejects.toThrow(
      'was consumed and is kept',
    );
  });

  it('refuses a use after the end, whatever the program believes', async () => {
    const { id } = await addQuote(database.db, scope);
    await expect(
      admin.query(
        `UPDATE quotes SET consumed_at = expires_at, payment_id = '${payment()}' WHERE id = '${id}'`,
      ),
    ).rejects.toThrow('consumed_in_time');
  });

  it.each([
    ['amounts that do not add up', { sourceAmount: 100_001n }, 'what_is_paid'],
    ['a rate above the mid-market', { rate: '0.91' }, 'the_markup_is_ours'],
    ['one currency', { targetCurrency: 'USD' }, 'another_currency'],
    ['nothing that arrives', { targetAmount: 0n }, 'target_amount_check'],
    ['no time to use it', { expiresAt: QUOTED_AT }, 'check constraint'],
  ])('refuses a quote with %s', async (_what, overrides, message) => {
    await expect(addQuote(database.db, scope, overrides)).rejects.toThrow(message);
  });

  it('refuses a quote of live that is stale', async () => {
    const live: Scope = { ...scope, environment: 'live' };
    await expect(addQuote(database.db, live, { isStale: true })).rejects.toThrow('never_stale');
    expect((await addQuote(database.db, scope, { isStale: true })).isStale).toBe(true);
  });

  it('shows and writes no quote of another scope', async () => {
    const { id } = await addQuote(database.db, scope);
    const other = { ...scope, environment: 'live' as const };
    const seen = await database.db.read(other, (tx) => tx.query('SELECT id FROM quotes'));
    expect(seen).toEqual([]);
    const insert = { ...(await read(id)), id: newId('quo') } as NewQuote & { seq?: bigint };
    const { id: newQuoteId } = insert;
    const quote = Object.fromEntries(
      Object.entries(insert).filter(([name]) => !['seq', 'consumedAt', 'paymentId'].includes(name)),
    ) as unknown as NewQuote;
    await expect(database.db.write(other, (tx) => insertQuote(tx, scope, quote))).rejects.toThrow(
      'row-level security',
    );
    expect(await read(newQuoteId)).toBeNull();
    expect(await read(id)).not.toBeNull();
  });
});

describe('forgetting quotes', () => {
  it('takes what expired unused, the oldest first, and leaves what was used or may be', async () => {
    await admin.query('DELETE FROM quotes WHERE consumed_at IS NULL');
    const hour = (count: number) => new Date(QUOTED_AT.getTime() + count * 3_600_000);
    const made = { createdAt: hour(-9) };
    const old = await addQuote(database.db, scope, { ...made, expiresAt: hour(-8) });
    const older = await addQuote(database.db, scope, { ...made, expiresAt: hour(-8.5) });
    const active = await addQuote(database.db, scope, { ...made, expiresAt: hour(1) });
    const used = await addQuote(database.db, scope, { ...made, expiresAt: hour(-8) });
    await use(used.id, hour(-8.5));
    const forget = (limit: number) =>
      database.db.system((tx) => deleteUnusedQuotes(tx, hour(0), limit));
    expect(await forget(1)).toBe(1);
    expect([await read(older.id), (await read(old.id))?.id]).toEqual([null, old.id]);
    expect(await forget(10)).toBe(1);
    expect(await read(old.id)).toBeNull();
    expect((await read(active.id))?.id).toBe(active.id);
    expect((await read(used.id))?.id).toBe(used.id);
  });
});

describe('listing quotes', () => {
  it('judges the status by the clock, to the millisecond', async () => {
    await admin.query('DELETE FROM quotes WHERE consumed_at IS NULL');
    const quote = await addQuote(database.db, scope);
    const used = await addQuote(database.db, scope);
    await use(used.id, QUOTED_AT);
    const list = async (status: 'ACTIVE' | 'CONSUMED' | 'EXPIRED', now: Date) => {
      const page = { limit: 100, before: null };
      const { items } = await database.db.list(scope, (tx) =>
        listQuotes(tx, scope, { status, now }, page),
      );
      return items.map(({ id }) => id);
    };
    expect(await list('ACTIVE', later(-1))).toEqual([quote.id]);
    expect(await list('EXPIRED', later(-1))).toEqual([]);
    expect(await list('ACTIVE', later(0))).toEqual([]);
    expect(await list('EXPIRED', later(0))).toEqual([quote.id]);
    expect(await list('CONSUMED', later(0))).toContain(used.id);
    expect(await list('CONSUMED', later(0))).not.toContain(quote.id);
  });
});
