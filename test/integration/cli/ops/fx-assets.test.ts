import { afterAll, beforeAll, expect, it } from 'vitest';
import { replaceRates } from '../../../../src/db/payments/fx-rate-store.ts';
import { positionFollowsQuotes } from '../../../../src/cli/verify/fx-position.ts';
import { connectToVerify } from '../../../../src/cli/verify/reader.ts';
import { createOpsHarness, NOW, type OpsHarness } from '../../../support/cli/ops/ops-harness.ts';

let harness: OpsHarness;
beforeAll(async () => {
  harness = await createOpsHarness();
  const leg = { source: 'sample', base: 'USD', quote: 'USDC', rate: '1', asOf: NOW };
  await harness.database.db.system((tx) => replaceRates(tx, [leg], NOW));
});
afterAll(() => harness.close());

it('a cover trade that buys an asset is in position and accounts, over its network', async () => {
  const { printed } = await harness.run(
    ...['fx', 'cover', '--environment', 'live', '--reference', 'TRADE-A'],
    ...['--sold', '1001.00 USD', '--sold-from', 'ACH', '--reason', 'end of day'],
    ...['--bought', '1000.500000 USDC', '--bought-to', 'BASE', '--operator', 'Ada'],
  );
  const id = /apr_[0-9a-z]{26}/.exec(printed)?.[0] ?? '';
  expect(await harness.operators.approve(id, 'Ben')).toMatchObject({ code: 0 });
  const lines = await harness.database.db.system((tx) =>
    tx.query<{ line: string }>(
      `SELECT concat_ws(' ', account, currency, amount) AS line FROM ledger_entries ORDER BY line`,
    ),
  );
  expect(lines.map(({ line }) => line)).toEqual([
    ...['fx USD -100100', 'fx USDC 1000500000'],
    ...['nostro:ACH USD 100100', 'nostro:BASE USDC -1000500000'],
  ]);
  const shown = await harness.run('fx', 'positions', '--environment', 'live');
  expect(shown.printed).toMatch(
    /^USDC +1000\.500000 +0\.000000 +0\.000000 +1000\.500000 +1000\.50$/m,
  );
  const connection = await connectToVerify(harness.database.url);
  const findings = await positionFollowsQuotes(connection).finally(() => connection.close());
  expect(findings.violations).toBe(0);
});
