import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  completeFigures,
  readFigures,
  totalOfDays,
} from '../../../../src/modules/payments/payment-figures.ts';
import { dayOf, dayText, startOf } from '../../../../src/domain/ledger/statement-day.ts';
import { approveEndUser } from '../../../support/approve-end-user.ts';
import type { Payer } from '../../../support/payment-harness.ts';
import { seedAccepted } from '../../../support/seed-accepted.ts';
import {
  startDashboard,
  type TestDashboard,
} from '../../../support/web/dashboard/dashboard-harness.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;
const HOUR_MS = 60 * 60 * 1_000;

let dashboard: TestDashboard;
beforeAll(async () => {
  dashboard = await startDashboard();
});
afterAll(() => dashboard.close());

const figures = async ({ scope }: Payer, now = dashboard.clock.now()) => {
  const { people } = dashboard.harness.database;
  const sums = await people.read(scope, (tx) => readFigures(tx, scope, now, 30));
  return completeFigures(people, scope, sums, now, 30);
};
/** By day and currency, as one look at the payments themselves has it; no day without any. */
async function countedAnew({ scope }: Payer): Promise<Record<string, string>> {
  const rows = await dashboard.harness.rows<{ day: string; of: string }>(
    `SELECT to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD') || ' ' || currency AS day,
       count(*) || ' ' || sum(amount) AS of
     FROM payments WHERE customer_id = $1 AND environment = $2 GROUP BY 1, currency ORDER BY 1`,
    [scope.customerId, scope.environment],
  );
  return Object.fromEntries(rows.map(({ day, of }) => [day, of]));
}
const told = (days: Awaited<ReturnType<typeof figures>>): Record<string, string> =>
  Object.fromEntries(
    days.flatMap(({ day, byCurrency }) =>
      [...byCurrency].map(([currency, { payments, minor }]) => [
        `${dayText(day)} ${currency}`,
        `${String(payments)} ${String(minor)}`,
      ]),
    ),
  );

let series = 0;
async function accepted(
  payer: Payer,
  from: Date,
  until: Date,
  count: number,
  currency = 'EUR',
): Promise<void> {
  series += 1;
  const { scope, endUserId, bankAccountId } = payer;
  await seedAccepted(dashboard.harness.database.url, {
    ...{ scope, endUserId, bankAccountId, from, until, count, series, currency },
  });
}

/** Of a customer of the test's own. */
const spansKept = async ({ scope }: Payer): Promise<number> => {
  const [row] = await dashboard.harness.rows<{ kept: string }>(
    'SELECT count(*) AS kept FROM payment_sums WHERE customer_id = $1 AND environment = $2',
    [scope.customerId, scope.environment],
  );
  return Number(row?.kept);
};

describe('the figures of 30 days', () => {
  it('are what the payments themselves come to, whatever was summed before and whenever it is asked', async () => {
    const payer = await dashboard.addStranger();
    const today = startOf(dayOf(dashboard.clock.now()));
    const at = (days: number, hours: number) =>
      new Date(today.getTime() + days * DAY_MS + hours * HOUR_MS);
    await accepted(payer, at(-9, 0), at(0, 0), 300);
    await accepted(payer, at(-5, 23.9), at(-4, 0.1), 40, 'USD');
    const noon = at(0, 12.5);
    await accepted(payer, at(0, 0), at(0, 12.4), 57);
    expect(told(await figures(payer, noon))).toEqual(await countedAnew(payer));
    const kept = await spansKept(payer);
    expect(kept).toBeGreaterThan(9);
    // A second look sums nothing anew, and says the same.
    expect(told(await figures(payer, noon))).toEqual(await countedAnew(payer));
    expect(await spansKept(payer)).toBe(kept);
    await accepted(payer, at(0, 12.45), at(0, 23.99), 31, 'USD');
    for (const now of [at(0, 20), at(1, 0.05), at(1, 0.2), at(3, 7)]) {
      expect(told(await figures(payer, now))).toEqual(await countedAnew(payer));
    }
  });

  it('stay right when a payment of a day that was summed is returned or fails later', async () => {
    const { harness, payer, settle } = dashboard;
    const id = await harness.accept({ amount: '31.00' });
    const later = new Date(dashboard.clock.now().getTime() + 2 * DAY_MS);
    const before = told(await figures(payer, later));
    expect(Object.keys(before)).toHaveLength(1);
    await settle(id, 'SETTLED', 'RETURNED');
    expect(told(await figures(payer, later))).toEqual(before);
    await expect(
      harness.rows('UPDATE payments SET amount = amount + 1, version = version + 1 WHERE id = $1', [
        id,
      ]),
    ).rejects.toThrow('what was ordered cannot change');
    await expect(
      harness.rows(
        `UPDATE payments SET created_at = created_at + interval '1 day', version = version + 1
         WHERE id = $1`,
        [id],
      ),
    ).rejects.toThrow('when it was accepted cannot change');
  });

  it('are the same when all sums are made anew', async () => {
    const payer = await dashboard.addStranger();
    const now = startOf(dayOf(dashboard.clock.now()));
    await accepted(payer, new Date(now.getTime() - 8 * DAY_MS), now, 500);
    const first = told(await figures(payer, now));
    expect(first).toEqual(await countedAnew(payer));
    await dashboard.harness.rows(`ALTER TABLE payment_sums DISABLE TRIGGER USER`);
    await dashboard.harness.rows('DELETE FROM payment_sums');
    await dashboard.harness.rows(`ALTER TABLE payment_sums ENABLE TRIGGER USER`);
    expect(told(await figures(payer, now))).toEqual(first);
  });

  it('after a long time are summed a part at a look, the newest days first, and say so meanwhile', async () => {
    const payer = await dashboard.addStranger();
    const now = dashboard.clock.now();
    await accepted(payer, new Date(now.getTime() - 40 * DAY_MS), now, 400);
    const looks: number[] = [];
    for (let look = 0; look < 3; look += 1) {
      const days = await figures(payer);
      looks.push(days.filter(({ isPartial }) => isPartial).length);
      expect(days.at(-2)?.isPartial).toBe(false);
    }
    expect(looks[0]).toBeGreaterThan(looks[1] ?? 0);
    expect(looks.at(-1)).toBe(0);
    const inside = Object.entries(await countedAnew(payer)).filter(
      ([day]) => day >= dayText(dayOf(now) - 29),
    );
    expect(told(await figures(payer))).toEqual(Object.fromEntries(inside));
  });

  it('come out right for ten who look at once', async () => {
    const payer = await dashboard.addStranger();
    const now = startOf(dayOf(dashboard.clock.now()));
    await accepted(payer, new Date(now.getTime() - 5 * DAY_MS), now, 100);
    const all = await Promise.all(Array.from({ length: 10 }, () => figures(payer, now)));
    const right = await countedAnew(payer);
    for (const days of all) expect(told(days)).toEqual(right);
  });

  it('name the currency with most payments first', async () => {
    const payer = await dashboard.addStranger();
    const now = dashboard.clock.now();
    await accepted(payer, new Date(now.getTime() - HOUR_MS), now, 3, 'USD');
    await accepted(payer, new Date(now.getTime() - HOUR_MS), now, 5);
    expect(totalOfDays(await figures(payer)).map(([currency]) => currency)).toEqual(['EUR', 'USD']);
  });
});

describe('a sum that is kept', () => {
  it('is written by the dashboard alone, of a span that is over, and never changed', async () => {
    const { payer, harness } = dashboard;
    const { customerId } = payer.scope;
    const insert = `INSERT INTO payment_sums (customer_id, environment, starts_at, hours, sums, summed_at)
      VALUES ('${customerId}', 'test', $1, $2, '{}', $3)`;
    const over = new Date('2026-01-01T00:00:00Z');
    const attempt = async (role: string, values: unknown[]) => {
      const client = new pg.Client({
        ...{ connectionString: harness.database.url, options: `-c role=${role}` },
      });
      await client.connect();
      try {
        await client.query(`SELECT set_config('causeway.customer', '${customerId}', false),
          set_config('causeway.environment', 'test', false)`);
        return (await client.query(insert, values)).rowCount;
      } catch (error) {
        return error instanceof Error ? error.message : '';
      } finally {
        await client.end();
      }
    };
    const day = (hours: number) => [over, 24, new Date(over.getTime() + hours * HOUR_MS)];
    expect(await attempt('causeway_app', day(25))).toContain('permission denied');
    expect(await attempt('causeway_system', day(25))).toContain('permission denied');
    expect(await attempt('causeway_dashboard', day(24))).toContain('summed_when_over');
    const crooked = [new Date(over.getTime() + HOUR_MS), 24, new Date(over.getTime() + 3 * DAY_MS)];
    expect(await attempt('causeway_dashboard', crooked)).toContain('check constraint');
    expect(await attempt('causeway_dashboard', day(25))).toBe(1);
    await expect(harness.rows('UPDATE payment_sums SET hours = 1')).rejects.toThrow('append-only');
    await expect(harness.rows('DELETE FROM payment_sums')).rejects.toThrow('append-only');
  });
});

describe('home', () => {
  const open = async (payer: Payer) => {
    const cookie = await dashboard.logIn('VIEWER', payer.scope.customerId);
    const answer = await dashboard.site.get('/test/home', cookie);
    expect(answer.status, answer.body).toBe(200);
    return answer.body;
  };

  it('names what is held, failed and came back, with who is to act', async () => {
    const { harness, payer, settle, hold } = dashboard;
    const held = await harness.accept();
    const failed = await harness.accept();
    const returned = await harness.accept();
    const fine = await harness.accept();
    await hold(held);
    await settle(failed, 'REJECTED');
    await settle(returned, 'SETTLED', 'RETURNED');
    await settle(fine, 'SETTLED');
    const page = await open(payer);
    for (const id of [held, failed, returned]) expect(page).toContain(`/test/payments/${id}`);
    expect(page).not.toContain(fine);
    expect(page).toContain('The operator is looking into it.');
    expect(page).toContain('1 payment');
  });

  it('names an endpoint that fails, and not one that its customer switched off', async () => {
    const { harness, payer } = dashboard;
    const add = async (path: string) => {
      const body = { url: `http://127.0.0.1:9/${path}` };
      const answer = await harness.ask({ method: 'POST', url: '/webhook-endpoints', body });
      return answer.json<{ id: string }>().id;
    };
    const [failing, fine, off] = [await add('a'), await add('b'), await add('c')];
    await harness.rows(
      `UPDATE webhook_endpoints SET failing_since = now(), version = version + 1 WHERE id = $1`,
      [failing],
    );
    await harness.rows(
      `UPDATE webhook_endpoints SET status = 'DISABLED', disabled_reason = 'REQUESTED',
         disabled_at = now(), version = version + 1 WHERE id = $1`,
      [off],
    );
    const page = await open(payer);
    expect(page).toContain(`/test/webhooks/${failing}`);
    expect(page).not.toContain(fine);
    expect(page).not.toContain(off);
  });

  it('names approvals that end within 30 days, of this customer alone', async () => {
    const stranger = await dashboard.addStranger();
    const now = dashboard.clock.now();
    const soon = new Date(now.getTime() + 20 * DAY_MS);
    const late = new Date(now.getTime() + 40 * DAY_MS);
    const { db, harness } = dashboard;
    expect(await open(stranger)).not.toContain('approval');
    await db.write(stranger.scope, async (tx) => {
      await tx.query(`UPDATE kyc_checks SET expires_at = $1 WHERE id = $2`, [
        late,
        stranger.kycCheckId,
      ]);
    });
    expect(await open(stranger)).not.toContain('approval');
    const answer = await harness.ask({
      ...{ method: 'POST', url: '/end-users', token: stranger.token },
      body: { type: 'INDIVIDUAL', individual: { firstName: 'Bo', lastName: 'Sample' } },
    });
    await approveEndUser(db, stranger.scope, answer.json<{ id: string }>().id, now, soon);
    expect(await open(stranger)).toContain('1 approval ends');
    expect(await open(await dashboard.addStranger())).not.toContain('approval');
  });

  it('draws a bar a day without style or script, and has the same in a table', async () => {
    const page = await open(dashboard.payer);
    expect(page).toMatch(
      /<svg[^>]*role="img"[^>]*aria-label="Payments accepted per day, [^"]+ in total\."/,
    );
    const bars = [...page.matchAll(/<rect[^>]*height="([0-9.]+)"[^>]*rx="2"/g)];
    expect(bars.length).toBeGreaterThanOrEqual(60);
    expect(page).toContain('As a table');
    expect(page).not.toMatch(/ style=| on[a-z]+=/);
  });

  it('of a customer without payments says how the first one is made', async () => {
    const page = await open(await dashboard.addStranger());
    expect(page).toContain('No payment yet');
    expect(page).toContain('/test/keys');
  });
});

describe('every page', () => {
  it('asks PostgreSQL twelve times at the most, also when hours and days are to be summed', async () => {
    const { harness, clock, site, payer } = dashboard;
    const id = await harness.accept();
    clock.advance(3 * HOUR_MS);
    const cookie = await dashboard.logIn('OWNER');
    const counts: Record<string, number> = {};
    for (const path of [
      ...['home', 'home', 'payments', 'payments?search=nonsense', `payments/${id}`],
      ...['end-users', `end-users/${payer.endUserId}`, 'balances', 'payments.csv'],
    ]) {
      // Those of the site alone: the API that the test pays by marks its keys as used meanwhile.
      const before = site.statements();
      const answer = await site.get(`/test/${path}`, cookie);
      expect(answer.status, path).toBe(200);
      const name = path in counts ? `${path} again` : path;
      const asked = site.statements() - before;
      counts[name.replace(/_[0-9a-z]+/, '')] = asked;
      expect(asked, path).toBeLessThanOrEqual(12);
      expect(asked, path).toBeGreaterThan(3);
    }
    // The first look kept what was over, and the second had no more to keep.
    expect(counts['home']).toBeGreaterThan(counts['home again'] ?? 99);
  });
});
