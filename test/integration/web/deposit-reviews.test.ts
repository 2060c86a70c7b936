import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { holdDepositForReview } from '../../../src/db/onchain/deposit-store.ts';
import { recordEvent } from '../../../src/db/webhooks/event-store.ts';
import { beginRestoreMode, endRestoreMode } from '../../../src/db/operations/restore-mode-store.ts';
import { depositEvent } from '../../../src/modules/ledger/funding/deposit-view.ts';
import { showDecisions } from '../../../src/modules/onchain/deposits/show-decisions.ts';
import { blockDeposit } from '../../../src/domain/onchain/deposits/funding-book.ts';
import { addWaitingPayment, AT } from '../../support/deposit-harness.ts';
import { addTestOperator } from '../../support/test-people.ts';
import { startSite, type Site } from '../../support/web/site.ts';

let site: Site;
let cookie: string;
beforeAll(async () => {
  site = await startSite('console');
  cookie = await site.logIn((await addTestOperator(site.people, 'COMPLIANCE')).id);
});
afterAll(() => site.close());

/** A deposit that is held for its sender; its id. */
async function addHeld(): Promise<string> {
  const waiting = await addWaitingPayment(site.database.db);
  const { id } = await waiting.see();
  await waiting.write(async (tx) => {
    const held = await holdDepositForReview(tx, waiting.scope, id, AT);
    if (held === null) throw new Error('it is not held');
    await recordEvent(tx, waiting.scope, depositEvent('deposit.updated', held), AT);
  });
  return id;
}

async function refuse(id: string): Promise<number> {
  const path = `/reviews/deposits/${id}/refuse`;
  const second = await site.submit(path, path, { reason: 'listed' }, cookie);
  return (await site.confirm(second, path, cookie)).status;
}

async function asSuperuser(sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: site.database.url });
  await client.connect();
  await client.query(sql).finally(() => client.end());
}

const list = async () => (await site.get('/reviews', cookie)).body;
const page = async (id: string) => (await site.get(`/reviews/deposits/${id}`, cookie)).body;

describe('the page of a deposit that is held', () => {
  it('refuses it, and the deposit waits no more', async () => {
    const id = await addHeld();
    expect(await list()).toContain(id);
    expect(await refuse(id)).toBe(303);
    expect(await page(id)).toContain('REFUSED');
    expect(await list()).not.toContain(id);
  });

  it('where it was killed between the word and the deposit has it finished by the next look', async () => {
    const id = await addHeld();
    await asSuperuser(`
      CREATE FUNCTION cut_off() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp
      AS $$ BEGIN RAISE EXCEPTION 'cut off'; END $$;
      CREATE TRIGGER cut_off BEFORE UPDATE OF review ON deposits FOR EACH ROW EXECUTE FUNCTION cut_off()`);
    expect(await refuse(id)).toBe(500);
    await asSuperuser('DROP TRIGGER cut_off ON deposits; DROP FUNCTION cut_off()');
    expect(await page(id)).toContain('REFUSED');
    expect(await list()).not.toContain(id);
    const again = await site.get(`/reviews/deposits/${id}/refuse`, cookie);
    expect(again.status).toBe(409);
    await showDecisions(
      {
        ...{ db: site.database.db, clock: { now: () => AT } },
        onFault: (_id, error) => {
          throw error;
        },
      },
      'test',
    );
    const [row] = await site.people.people.system((tx) =>
      tx.query('SELECT review FROM deposits WHERE id = $1', [id]),
    );
    expect(row).toEqual({ review: 'REFUSED' });
  });
});

describe('the page of a deposit in suspense', () => {
  const blocked = async (): Promise<string> => {
    const waiting = await addWaitingPayment(site.database.db);
    const { id } = await waiting.see();
    await waiting.take((book) => blockDeposit(book, id));
    return id;
  };
  const propose = async (id: string, verb: 'unblock' | 'keep') => {
    const path = `/reviews/deposits/${id}/${verb}`;
    const second = await site.submit(path, path, { reason: 'compared with the list' }, cookie);
    return site.confirm(second, path, cookie);
  };

  it('is listed, and a proposal to credit it waits for another operator', async () => {
    const id = await blocked();
    expect(await list()).toContain(id);
    expect(await page(id)).toContain(`/reviews/deposits/${id}/unblock`);
    const proposed = await propose(id, 'unblock');
    expect(proposed.status).toBe(303);
    const approval = await site.get(String(proposed.headers.location), cookie);
    expect(approval.body).toContain(id);
    expect(approval.body).toContain('RELEASE');
    // Once the database was restored, its page, that of the approval and those of its acts warn.
    const path = String(proposed.headers.location);
    const pages = [`/reviews/deposits/${id}`, path, `${path}/refuse`];
    const warned = async () =>
      (await Promise.all(pages.map((one) => site.get(one, cookie)))).map(({ body }) =>
        body.includes('it may already have been paid out'),
      );
    expect(await warned()).toEqual([false, false, false]);
    const act = { actor: { kind: 'OPERATOR', name: 'ada' }, at: AT, reason: 'restored' } as const;
    await site.database.db.system((tx) => beginRestoreMode(tx, act));
    expect(await warned()).toEqual([true, true, true]);
    await site.database.db.system((tx) => endRestoreMode(tx, act));
    expect((await propose(id, 'keep')).status).toBe(409);
    expect(await list()).toContain(id);
  });

  it('is not proposed to be kept before its block is final, and nothing of one that is not blocked', async () => {
    const early = await propose(await blocked(), 'keep');
    expect(early.status).toBe(409);
    expect(early.body).toContain('not final yet');
    const held = await addHeld();
    for (const verb of ['unblock', 'keep']) {
      expect((await site.get(`/reviews/deposits/${held}/${verb}`, cookie)).status).toBe(409);
    }
  });
});
