import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { replaceRates } from '../../../../src/db/payments/fx-rate-store.ts';
import { readFxExposure, writeFxCheckpoint } from '../../../../src/db/ledger/fx-position-store.ts';
import { insertApiKey } from '../../../../src/db/customers/api-key-write-store.ts';
import { insertLedgerTransactions } from '../../../../src/db/ledger/ledger-store.ts';
import { newId } from '../../../../src/db/client/new-id.ts';
import { platformScope } from '../../../../src/domain/platform-account.ts';
import { coverLines } from '../../../../src/domain/payments/fx/cover-trade.ts';
import { recordCoverTrade } from '../../../../src/modules/ledger/record-cover-trade.ts';
import { connectToVerify } from '../../../../src/cli/verify/reader.ts';
import { positionFollowsQuotes } from '../../../../src/cli/verify/fx-position.ts';
import { createOpsHarness, NOW, type OpsHarness } from '../../../support/cli/ops/ops-harness.ts';

let harness: OpsHarness;
beforeAll(async () => {
  harness = await createOpsHarness();
  const leg = { source: 'sample', base: 'USD', quote: 'EUR', rate: '0.9', asOf: NOW };
  await harness.database.db.system((tx) => replaceRates(tx, [leg], NOW));
});
afterAll(() => harness.close());

const why = ['--reason', 'end of day', '--operator'];
const propose = (reference: string, operator = 'Ada', ...more: string[]) =>
  harness.run(
    ...['fx', 'cover', '--environment', 'live', '--reference', reference],
    ...['--sold', '1000.00 USD', '--sold-from', 'ACH'],
    ...['--bought', '900.00 EUR', '--bought-to', 'SEPA', ...why, operator, ...more],
  );
const idIn = (printed: string): string => /apr_[0-9a-z]{26}/.exec(printed)?.[0] ?? '';
const approve = (id: string, operator = 'Ben') => harness.operators.approve(id, operator);
const exposure = () => harness.database.db.system((tx) => readFxExposure(tx, 'live', NOW));
const traded = async (): Promise<object[]> =>
  harness.database.db.system((tx) => tx.query('SELECT id FROM cover_trades'));

describe('a cover trade', () => {
  it('is recorded once two operators have said so, in position and accounts of both currencies', async () => {
    const { code, printed } = await propose('TRADE-1');
    expect(code).toBe(0);
    expect(await traded()).toEqual([]);
    const alone = await approve(idIn(printed), 'ada');
    expect(alone).toMatchObject({ code: 1, error: expect.stringContaining('cannot approve') });
    expect(await traded()).toEqual([]);
    expect(await approve(idIn(printed))).toMatchObject({ code: 0 });
    const lines = await harness.database.db.system((tx) =>
      tx.query<{ line: string }>(
        `SELECT concat_ws(' ', customer_id, account, currency, amount) AS line
         FROM ledger_entries ORDER BY line`,
      ),
    );
    expect(lines.map(({ line }) => line)).toEqual([
      'cus_platform fx EUR 90000',
      'cus_platform fx USD -100000',
      'cus_platform nostro:ACH USD 100000',
      'cus_platform nostro:SEPA EUR -90000',
    ]);
    const shown = await harness.run('fx', 'positions', '--environment', 'live');
    expect(shown.printed).toMatch(/^EUR +900\.00 +0\.00 +0\.00 +900\.00 +1000\.00$/m);
    expect(shown.printed).toMatch(/Open position in USD: 1000\.00/);
    expect((await harness.run('fx', 'positions', '--environment', 'test')).printed).toContain(
      'There is no open position',
    );
  });

  it('of one reference is recorded once, however often it is proposed or approved', async () => {
    expect(await propose('TRADE-1', 'Cyd')).toMatchObject({ code: 1 });
    const { printed } = await propose('TRADE-2');
    expect(await propose('TRADE-2', 'Cyd')).toMatchObject({ code: 1 });
    const id = idIn(printed);
    const both = await Promise.all([approve(id), approve(id, 'Cyd')]);
    expect(both.map(({ code }) => code).sort()).toEqual([0, 1]);
    expect(await approve(id)).toMatchObject({ code: 1 });
    expect(await traded()).toHaveLength(2);
  });

  it.each([
    [['--sold', '1000.001 USD']],
    [['--sold', '1000.00']],
    [['--sold', '-5 USD']],
    [['--sold', '5 EUR']],
    [['--reference', 'Ada Sample']],
    [['--bought-to', 'NOWHERE']],
    [['--bought-to', 'BASE']],
    [['--sold', '1000.00 USDC']],
    [['--sold', '1000.0000001 USDC', '--sold-from', 'BASE']],
  ])('with %j is a command line that is wrong', async (more) => {
    expect(await propose('TRADE-9', 'Ada', ...more)).toMatchObject({ code: 2 });
  });
});

describe('the database itself', () => {
  const platform = platformScope('live');
  const trade = {
    reference: 'TRADE-X',
    sold: { currency: 'USD', minor: 5n, rail: 'ACH' },
    bought: { currency: 'EUR', minor: 4n, rail: 'SEPA' },
  };

  it('refuses a cover trade without two operators', async () => {
    const record = harness.database.db.write(platform, (tx) =>
      recordCoverTrade(tx, platform, trade, NOW),
    );
    await expect(record).rejects.toThrow('no two operators');
  });

  it('refuses lines of the platform account that are of no cover trade, of whatever kind they say they are', async () => {
    for (const kind of ['COVER', 'FUND'] as const) {
      const moved = { id: newId('ltx'), kind, paymentId: null, lines: coverLines(trade) };
      const write = harness.database.db.write(platform, (tx) =>
        insertLedgerTransactions(tx, platform, [moved], NOW),
      );
      await expect(write).rejects.toThrow('not of a cover trade');
    }
  });

  it('refuses an API key of the platform account', async () => {
    const key = {
      ...{ id: newId('key'), publicId: 'a'.repeat(12), name: 'x', tokenHmac: Buffer.alloc(32) },
      ...{ last4: 'abcd', scopes: ['*'], isOpenToAnyAddress: false, expiresAt: null },
      ...{ createdBy: 'x', at: NOW },
    };
    const write = harness.database.people.system((tx) =>
      insertApiKey(tx, platformScope('test'), key),
    );
    await expect(write).rejects.toThrow('the_platform_has_no_keys');
  });
});

describe('a checkpoint of the position', () => {
  it('changes nothing of what is read, is written again without effect, and does not go back', async () => {
    const before = await exposure();
    expect(before.length).toBeGreaterThan(0);
    const [middle] = await harness.database.db.system((tx) =>
      tx.query<{ id: string }>('SELECT max(id) AS id FROM ledger_transactions'),
    );
    for (const id of [middle?.id ?? '', middle?.id ?? '', 'ltx_0', 'ltx_z', 'ltx_z']) {
      await harness.database.db.system((tx) => writeFxCheckpoint(tx, 'live', id));
      expect(await exposure()).toEqual(before);
    }
    const { printed } = await propose('TRADE-3');
    await approve(idIn(printed));
    const connection = await connectToVerify(harness.database.url);
    const findings = await positionFollowsQuotes(connection).finally(() => connection.close());
    // What comes after is behind no checkpoint: the last one said that nothing before 'ltx_z' would come.
    expect(findings.violations).toBeGreaterThan(0);
  });
});
