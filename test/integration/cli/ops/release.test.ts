import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { lockReleaseShared } from '../../../../src/db/operations/release-stop-store.ts';
import { seedPayingCustomer, type PayingCustomer } from '../../../support/seed-payments.ts';
import { createOpsHarness, NOW, type OpsHarness } from '../../../support/cli/ops/ops-harness.ts';

const BY_ADA = ['--reason', 'bank is hacked', '--operator', 'ada'];

let harness: OpsHarness;
let test: PayingCustomer;
let live: PayingCustomer;
let isTemporalDown = false;
beforeAll(async () => {
  harness = await createOpsHarness({
    wake: () => {
      if (isTemporalDown) throw new Error('Temporal is down');
    },
  });
  test = await seedPayingCustomer(harness.database.db, 'test');
  live = await seedPayingCustomer(harness.database.db, 'live');
});
afterAll(() => harness.close());
afterEach(() => {
  harness.wakes.length = 0;
  isTemporalDown = false;
});

const release = (...args: string[]) => harness.run('release', ...args);
const system = <Row extends object>(sql: string, values: readonly unknown[] = []) =>
  harness.database.db.system((tx) => tx.query<Row>(sql, [...values]));

/** A payment as the claim leaves it behind a stop. */
async function holdBack(customer: PayingCustomer): Promise<string> {
  const { id } = await customer.pay({ fate: 'QUEUED', at: NOW });
  await system(
    `UPDATE payments SET status = 'ON_HOLD', status_detail = 'RELEASE_STOPPED',
       version = version + 1 WHERE id = $1`,
    [id],
  );
  return id;
}

describe('a command that stops or resumes release', () => {
  it.each([
    [['stop', ...BY_ADA], "'--all'"],
    [['resume', ...BY_ADA], "'--all'"],
    [['stop', '--all', '--rail', 'SEPA', ...BY_ADA], "'--rail <name>'"],
    [['stop', '--rail', 'SEPPA', ...BY_ADA], "'--rail <name>'"],
    [['stop', '--environment', 'prod', ...BY_ADA], "'--environment <name>'"],
    [['stop', '--all', '--operator', 'ada'], "'--reason <text>'"],
    [['stop', '--all', '--reason', 'x'], "'--operator <name>'"],
  ])(
    '%j is refused, so that no operator believes in a stop that stops nothing',
    async (args, name) => {
      const { code, error } = await release(...args);
      expect({ code, error }).toEqual({ code: 2, error: expect.stringContaining(name) as string });
    },
  );

  it('is refused for a customer that does not exist', async () => {
    expect(await release('stop', '--customer', 'cus_none', ...BY_ADA)).toMatchObject({
      code: 1,
      error: 'There is no customer cus_none.',
    });
    expect(await release('list')).toMatchObject({ code: 0, printed: 'No stop is active.' });
  });

  it('is listed, ended by the same options only, and in the audit log with who and why', async () => {
    const { customerId } = live.scope;
    const filter = ['--customer', customerId, '--environment', 'live', '--rail', 'SEPA'];
    expect(await release('stop', ...filter, ...BY_ADA)).toMatchObject({ code: 0, error: '' });
    const listed = await release('list');
    expect(listed.printed).toMatch(
      new RegExp(`live SEPA ${customerId} +${NOW.toISOString()} +operator:ada +bank is hacked`),
    );
    expect(await release('resume', '--customer', customerId, ...BY_ADA)).toMatchObject({ code: 1 });
    expect(await release('list')).toEqual(listed);
    const end = ['--reason', 'bank is clean', '--operator', 'bob'];
    expect(await release('resume', ...filter, ...end)).toMatchObject({
      code: 0,
      printed: expect.stringContaining('No stop is active.') as string,
    });
    expect(await release('resume', ...filter, ...end)).toMatchObject({ code: 1 });
    const audit = await system(
      `SELECT actor, action, customer_id, environment, details FROM audit_log
       WHERE subject LIKE 'release_stops/%' ORDER BY id`,
    );
    const scope = { customer_id: customerId, environment: 'live' };
    expect(audit).toEqual([
      {
        ...{ actor: 'operator:ada', action: 'release.stop', ...scope },
        details: { rail: 'SEPA', reason: 'bank is hacked' },
      },
      {
        ...{ actor: 'operator:bob', action: 'release.resume', ...scope },
        details: { rail: 'SEPA', reason: 'bank is clean' },
      },
    ]);
  });

  it('of everything is in the audit log as concerning all', async () => {
    await release('stop', '--all', ...BY_ADA);
    const audit = await system(
      `SELECT action, customer_id, environment FROM audit_log ORDER BY id DESC LIMIT 1`,
    );
    expect(audit).toEqual([{ action: 'release.stop', customer_id: null, environment: null }]);
    await release('resume', '--all', ...BY_ADA);
  });

  it('wakes what it held back, page after page, and nothing else', async () => {
    await release('stop', '--environment', 'live', ...BY_ADA);
    const held: string[] = [];
    for (let count = 0; count < 41; count += 1) held.push(await holdBack(live));
    await holdBack(test);
    await live.pay({ fate: 'UNKNOWN', at: NOW });
    const { printed } = await release('resume', '--environment', 'live', ...BY_ADA);
    expect(printed).toContain('41 payments continue.');
    expect(harness.wakes.toSorted()).toEqual(held.toSorted());
  });

  it('resumes although Temporal takes no wake, and says that payments follow by themselves', async () => {
    await release('stop', '--environment', 'test', ...BY_ADA);
    await holdBack(test);
    isTemporalDown = true;
    const { code, printed } = await release('resume', '--environment', 'test', ...BY_ADA);
    expect(code).toBe(0);
    expect(printed).toContain('They check again by themselves');
    expect(await release('list')).toMatchObject({ printed: 'No stop is active.' });
  });

  it('gives up in a sentence, with nothing changed, where releases never end', async () => {
    await harness.database.db.write(live.scope, async (tx) => {
      await lockReleaseShared(tx);
      expect(await release('stop', '--all', ...BY_ADA)).toMatchObject({
        code: 1,
        error: expect.stringContaining('Nothing was changed') as string,
      });
    });
    expect(await release('list')).toMatchObject({ printed: 'No stop is active.' });
  });
});

describe('restore mode', () => {
  it('is begun and ended once, with who and why in the audit log', async () => {
    const restore = (...args: string[]) => harness.run('restore', ...args);
    const status = async () => (await restore('status')).printed;
    expect(await status()).toBe('Restore mode is off.');
    expect(await restore('end', ...BY_ADA)).toMatchObject({ code: 1 });
    expect(await restore('begin', '--operator', 'ada')).toMatchObject({ code: 2 });
    expect(await restore('begin', ...BY_ADA)).toMatchObject({ code: 0 });
    expect(await restore('begin', ...BY_ADA)).toMatchObject({ code: 1 });
    expect(await status()).toBe(
      `Restore mode has been on since ${NOW.toISOString()}, by operator:ada: bank is hacked`,
    );
    expect(await restore('end', ...BY_ADA)).toMatchObject({ code: 0 });
    expect(await status()).toBe('Restore mode is off.');
    const audit = await system<{ action: string }>(
      "SELECT action FROM audit_log WHERE subject = 'restore_mode' ORDER BY id",
    );
    expect(audit.map(({ action }) => action)).toEqual(['restore.begin', 'restore.end']);
  });
});
