import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { beginCursor } from '../../../../src/db/onchain/chain-cursor-store.ts';
import type { DepositRow } from '../../../../src/db/onchain/deposit-store.ts';
import { shortAddress } from '../../../../src/web/dashboard/words/short-address.ts';
import { hex, SENDER } from '../../../support/deposit-harness.ts';
import { credit, seeDeposit, type FundedAnswer } from '../../../support/funded-payments.ts';
import type { Payer } from '../../../support/payment-harness.ts';
import { bookStandingDeposit } from '../../../support/standing-deposit.ts';
import { addWallet } from '../../../support/wallet-payments.ts';
import {
  sameness,
  startDashboard,
  type TestDashboard,
} from '../../../support/web/dashboard/dashboard-harness.ts';

/** The most that one page may ask of PostgreSQL, transactions and the session's look-up included. */
const STATEMENTS_MAX = 12;

let dashboard: TestDashboard;
let viewer: string;
let stranger: Payer;
let payment: FundedAnswer;
let addressId: string;
let address: string;
/** The first was credited to its payment and is more than was due; the second is final, in the balance. */
let surplus: DepositRow;
let standing: string;
beforeAll(async () => {
  dashboard = await startDashboard();
  viewer = await dashboard.logIn('VIEWER');
  stranger = await dashboard.addStranger();
  const { clock, payer } = dashboard;
  // Deposits come at the time that the pages know.
  const harness = { ...dashboard.harness, clock };
  const { endUserId } = payer;
  const wallet = await addWallet(harness);
  const order = {
    ...{ endUserId, walletId: wallet.id, amount: '25.00', asset: 'USDC' },
    funding: { type: 'CRYPTO_DEPOSIT', asset: 'USDC', network: 'BASE' },
  };
  payment = (await harness.pay(order)).json<FundedAnswer>();
  surplus = await seeDeposit(harness, payment, { amount: 40_000_000n });
  await credit(harness, surplus);
  const body = { endUserId };
  const made = await harness.ask({ method: 'POST', url: '/deposit-addresses', body });
  ({ id: addressId, address } = made.json<{ id: string; address: string }>());
  standing = await bookStandingDeposit(harness, addressId, { asset: 'EURC' });
});
afterAll(() => dashboard.close());

const open = async (path: string, cookie = viewer) => {
  const answer = await dashboard.site.get(path, cookie);
  expect(answer.status, answer.body).toBe(200);
  return answer.body;
};
const listed = async (query = '', cookie = viewer): Promise<string[]> => {
  const html = await open(`/test/deposits${query}`, cookie);
  return [...html.matchAll(/class="row-link" href="\/test\/deposits\/([^"]+)"/g)].map(
    ([, id]) => id ?? '',
  );
};

describe('the list of deposits', () => {
  it('shows them newest first, narrowed by status, network, asset and day', async () => {
    expect(await listed()).toEqual([standing, surplus.id]);
    expect(await listed('?status=FINAL')).toEqual([standing]);
    expect(await listed('?asset=USDC&network=BASE')).toEqual([surplus.id]);
    expect(await listed('?network=POLYGON')).toEqual([]);
    const day = dashboard.clock.now().toISOString().slice(0, 10);
    expect(await listed(`?from=${day}&to=${day}`)).toHaveLength(2);
    expect(await listed('?to=2026-01-01')).toEqual([]);
  });

  it('finds them by id, transaction and address in whatever case, by payment and by end-user', async () => {
    const { payer } = dashboard;
    const shouted = `0x${surplus.txHash.slice(2).toUpperCase()}`;
    for (const search of [surplus.id, shouted, payment.id, payment.funding.address]) {
      expect(await listed(`?search=${search}`), search).toEqual([surplus.id]);
    }
    for (const search of [addressId, address, address.toLowerCase()]) {
      expect(await listed(`?search=${search}`), search).toEqual([standing]);
    }
    expect(await listed(`?search=${payer.endUserId}`)).toEqual([standing, surplus.id]);
    expect(await listed(`?search=${payer.endUserId}&asset=EURC`)).toEqual([standing]);
    for (const nothing of [SENDER, 'nothing', stranger.endUserId]) {
      expect(await listed(`?search=${nothing}`), nothing).toEqual([]);
    }
  });

  it('shows nothing of another customer, whatever is searched for', async () => {
    const theirs = await dashboard.logIn('OWNER', stranger.scope.customerId);
    const searches = [surplus.id, surplus.txHash, payment.id, payment.funding.address, addressId];
    for (const search of ['', ...searches, address, dashboard.payer.endUserId]) {
      expect(await listed(`?search=${search}`, theirs), search).toEqual([]);
    }
  });

  it.each(['status=NONE', 'network=MOON', 'asset=DOGE', 'from=2026-02-30'])(
    'answers %s with 422 and a link to the field',
    async (query) => {
      const answer = await dashboard.site.get(`/test/deposits?${query}`, viewer);
      expect(answer.status).toBe(422);
      expect(answer.body).toContain(`<a href="#${query.split('=')[0] ?? ''}">`);
    },
  );
});

describe('the page of a deposit', () => {
  it('shows transaction and address whole, and its sender shortened', async () => {
    const page = await open(`/test/deposits/${surplus.id}`);
    expect(page).toMatch(new RegExp(`id="transaction"[^>]*><code>${surplus.txHash}<`));
    expect(page).toContain(payment.funding.address);
    expect(page).toContain(shortAddress(SENDER));
    expect(page).not.toContain(SENDER);
  });

  it('says how much of it is the payment’s, and leads there and back', async () => {
    const page = await open(`/test/deposits/${surplus.id}`);
    expect(page).toMatch(/To its payment.*25\.000000.*To your balance.*15\.000000/s);
    expect(page).toContain(`href="/test/payments/${payment.id}"`);
    const back = await open(`/test/payments/${payment.id}`);
    expect(back).toContain(`href="/test/deposits/${surplus.id}"`);
    expect(back).toContain(`href="/test/deposits?search=${payment.id}"`);
  });

  it('tells what it went through and what comes next', async () => {
    const page = await open(`/test/deposits/${surplus.id}`);
    expect(page).toMatch(/timeline-done.*Seen.*timeline-now.*Credited.*timeline-next.*Final/s);
    expect(await open(`/test/deposits/${standing}`)).not.toContain('timeline-next');
  });

  it('leads to the refund that it left by, and the refund to it', async () => {
    const { harness } = dashboard;
    const url = `/deposits/${standing}/refund`;
    const { id: walletId } = await addWallet(harness);
    const body = { walletId, amount: '30' };
    const refund = await harness.ask({ method: 'POST', url, body, key: 'give it back' });
    expect(refund.statusCode, refund.body).toBe(201);
    const { id } = refund.json<{ id: string }>();
    expect(await open(`/test/deposits/${standing}`)).toMatch(
      new RegExp(`href="/test/payments/${id}"[^>]*>\\s*Refund.*30\\.000000`, 's'),
    );
    expect(await open(`/test/payments/${id}`)).toContain(`href="/test/deposits/${standing}"`);
    expect(await listed(`?search=${id}`)).toEqual([standing]);
  });

  it('is the same 404 for what is missing, another customer’s, or of the other environment', async () => {
    const { harness, payer, logIn } = dashboard;
    const live = await harness.addPayer({ ...payer.scope, environment: 'live' });
    const theirs = await logIn('OWNER', stranger.scope.customerId);
    const { status, body } = await dashboard.site.get(`/test/payments/none`, theirs);
    expect(status).toBe(404);
    const missing = { status, body };
    for (const path of [
      ...[`deposits/${surplus.id}`, `deposit-addresses/${addressId}`, 'deposits/nonsense'],
      ...['deposit-addresses/nonsense', 'wallets/nonsense'],
    ]) {
      expect(await dashboard.site.get(`/test/${path}`, theirs), path).toMatchObject(missing);
    }
    const elsewhere = await dashboard.site.get(`/live/deposits/${surplus.id}`, viewer);
    expect(live.scope.environment).toBe('live');
    expect(elsewhere.status).toBe(404);
    expect(sameness(elsewhere)).toBe(
      sameness(await dashboard.site.get('/live/deposits/none', viewer)),
    );
  });
});

/** A deposit in block 7 of a network that is read up to block 9. */
async function seeWaiting(): Promise<string> {
  const { clock, db, harness } = dashboard;
  const head = { number: 9n, hash: hex(32), at: clock.now() };
  const place = { environment: 'test', network: 'BASE' } as const;
  await db.system((tx) => beginCursor(tx, place, 'HEAD', head, clock.now()));
  return (await seeDeposit({ ...harness, clock }, payment, { amount: 1n })).id;
}

describe('a deposit that is not deep enough', () => {
  it('says how deep it lies and how deep it must, on its page and in its timeline', async () => {
    const page = await open(`/test/deposits/${await seeWaiting()}`);
    expect(page).toContain('2 of 3 blocks');
    expect(page).toMatch(/timeline-now.*Seen.*timeline-next.*Credited.*after 1 block more/s);
  });
});

describe('the pages of deposit addresses', () => {
  it('show an address whole, what it takes, and what came', async () => {
    expect(await open('/test/deposit-addresses')).toContain(
      `href="/test/deposit-addresses/${addressId}"`,
    );
    const page = await open(`/test/deposit-addresses/${addressId}`);
    expect(page).toMatch(new RegExp(`id="address"[^>]*><code>${address}<`));
    expect(page).toMatch(/BASE.*USDC, EURC.*ETHEREUM.*USDT/s);
    expect(page).toContain(`href="/test/deposits/${standing}"`);
    expect(page).toContain(`href="/test/deposits?search=${addressId}"`);
  });

  it('are found by id, address and end-user', async () => {
    const href = `href="/test/deposit-addresses/${addressId}"`;
    for (const search of [addressId, address.toLowerCase(), dashboard.payer.endUserId]) {
      expect(await open(`/test/deposit-addresses?search=${search}`), search).toContain(href);
    }
    expect(await open('/test/deposit-addresses?status=DISABLED')).not.toContain(href);
    expect(await open('/test/deposit-addresses?search=nothing')).toContain('matches these filters');
  });
});

describe('every page of deposits, deposit addresses and wallets', () => {
  it('takes at most twelve statements, however much there is', async () => {
    const waiting = await seeWaiting();
    const pages = ['deposits', `deposits/${surplus.id}`, `deposits/${waiting}`, 'wallets'];
    const searches = [surplus.txHash, payment.id, payment.funding.address, address];
    for (const path of [
      ...pages,
      ...['deposit-addresses', `deposit-addresses/${addressId}`],
      ...searches.map((search) => `deposits?search=${search}`),
    ]) {
      const before = dashboard.site.statements();
      await open(`/test/${path}`);
      expect(dashboard.site.statements() - before, path).toBeLessThanOrEqual(STATEMENTS_MAX);
    }
  });
});

describe('the pages of wallets', () => {
  it('show an address shortened, and find it by the whole one', async () => {
    const { harness } = dashboard;
    const wallet = await addWallet(harness, {
      address: '0x52908400098527886E0F7030069857D2E4169EE7',
    });
    const pages = [
      await open(`/test/wallets/${wallet.id}`),
      await open(`/test/wallets?status=ACTIVE&network=BASE`),
    ];
    for (const page of pages) {
      expect(page).toContain(shortAddress(wallet.address));
      expect(page).not.toContain(wallet.address);
    }
    const found = await open(`/test/wallets?search=${wallet.address.toLowerCase()}`);
    expect(found).toContain(`href="/test/wallets/${wallet.id}"`);
    expect(await open(`/test/payments/${payment.id}`)).toContain('href="/test/wallets/wal_');
  });
});
