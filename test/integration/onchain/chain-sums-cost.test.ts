import { afterAll, beforeAll, expect, it } from 'vitest';
import { sumSignedSince } from '../../../src/db/onchain/chain-nonce-store.ts';
import type { SystemTransaction } from '../../../src/db/client/database.ts';
import { readLargestDust } from '../../../src/db/onchain/dust-store.ts';
import { sumTokensAt } from '../../../src/db/onchain/read-deposit-store.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { withSuperuser } from '../../support/onchain/sweep-parts.ts';

const PLACE = { environment: 'test', network: 'BASE' } as const;
const SIGNER_ACCOUNT = '0x5000000000000000000000000000000000000001';
const OTHER = '0x5000000000000000000000000000000000000002';
const NOW = new Date('2026-03-01T12:00:00Z');
const SINCE = new Date(NOW.getTime() - 3_600_000);
/** Nonces of years, one a minute before the last hour, all of them final. */
const PAST = 20_000;
/** Those of the last hour: one a minute. */
const RECENT = 40;
/** One was without an effect for good, and one is the nonce that is asked for. */
const COUNTED = RECENT - 2;
/** Each of the last hour is looked for in three tables. */
const READ_MAX = 3 * RECENT;

/** Rows as years of payments leave them: guards and triggers look at each as it is made, and are left out here. */
const FILL = `
  SET session_replication_role = replica;
  CREATE TEMPORARY TABLE made AS
    SELECT n, n <= ${String(PAST)} AS is_past, 'R' || n AS reference,
      '${NOW.toISOString()}'::timestamptz - (${String(PAST + RECENT)} - n + CASE WHEN n <= ${String(PAST)} THEN 60 ELSE 0 END)
        * interval '1 minute' AS at
    FROM generate_series(1, ${String(PAST + RECENT)}) AS n;
  INSERT INTO chain_transfers (reference, customer_id, environment, payment_id, network, asset, contract, recipient,
      amount, body, state, told, created_at, updated_at)
    SELECT reference, 'cus', 'test', 'pay' || n, 'BASE', 'USDC', '${OTHER}', '${OTHER}', 1, '', 'FINAL', 'FINAL', at, at
    FROM made;
  INSERT INTO chain_nonces (environment, network, address, nonce, reference, state, mined_hash, created_at, updated_at)
    SELECT 'test', 'BASE', '${SIGNER_ACCOUNT}', n, reference,
      CASE WHEN n = ${String(PAST + 1)} THEN 'REJECTED' ELSE 'FINAL' END,
      '0x' || lpad(to_hex(n), 64, '0'), at, at FROM made;
  INSERT INTO chain_transactions (environment, network, address, nonce, number, kind, unsigned, max_fee_per_gas,
      max_priority_fee_per_gas, gas, raw, hash, signed_at, signed_at_block, created_at)
    SELECT 'test', 'BASE', '${SIGNER_ACCOUNT}', n, number, 'TRANSFER', '', 1, 1, 1,
      '', '0x' || lpad(to_hex(n * 2 + number), 64, '0'), at, 1, at
    FROM made, generate_series(0, 1) AS number;
  ANALYZE chain_transfers, chain_nonces, chain_transactions`;

/** As many deposits, each at an address of its own, in as many blocks. */
const DEPOSITS = `
  INSERT INTO deposits (id, customer_id, environment, network, tx_hash, ordinal, asset, from_address, to_address, amount,
      deposit_address_id, block_number, block_hash, block_at, status, applied_to, created_at, updated_at)
    SELECT 'dep' || n, 'cus', 'test', 'BASE', '0x' || lpad(to_hex(n), 64, '0'), 0, 'USDC', '${OTHER}',
      '0x' || lpad(to_hex(n), 40, '0'), n, 'da' || n, n, '0x' || lpad(to_hex(n), 64, '0'), at, 'FINAL', 'BALANCE', at, at
    FROM made;
  ANALYZE deposits`;

const DUST_TO = '0x7000000000000000000000000000000000000001';
/** Transfers below the floor to one address, one a transaction and a block; the last few are in blocks that come later. */
const DUST = 20_000;
const DUST_LATER = 5;

const DUST_ROWS = `
  INSERT INTO dust_transfers (environment, network, tx_hash, asset, to_address, amount, transfers, block_number, found_at)
    SELECT 'test', 'BASE', '0x' || lpad(to_hex(n), 64, '0'), 'USDC', '${DUST_TO}', 1 + n % 1000, 1, n, now()
    FROM generate_series(1, ${String(DUST)}) AS n;
  INSERT INTO dust_sums (environment, network, asset, address, amount, transfers, next_at)
    SELECT environment, network, asset, to_address, sum(amount), count(*), now() FROM dust_transfers
    GROUP BY environment, network, asset, to_address;
  ANALYZE dust_transfers, dust_sums`;

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  await withSuperuser(database.url, (superuser) =>
    superuser.query(`${FILL}; ${DEPOSITS}; ${DUST_ROWS}`),
  );
});
afterAll(() => database.close());

/** What `work` answers, and how many rows of the tables it read. */
const counted = <Result>(
  tables: string,
  work: (tx: SystemTransaction) => Promise<Result>,
): Promise<{ readonly result: Result; readonly read: number }> =>
  database.db.system(async (tx) => {
    // Servers of tests plan for any value; a production server plans for the values at hand.
    await tx.query('SET LOCAL plan_cache_mode = auto');
    const count = async () => {
      const [row] = await tx.query<{ read: bigint }>(
        `SELECT sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::bigint AS read
         FROM pg_stat_xact_user_tables WHERE relname LIKE $1`,
        [tables],
      );
      return Number(row?.read ?? 0n);
    };
    const from = await count();
    const result = await work(tx);
    return { result, read: (await count()) - from };
  });

it('what signers signed for within the last hour is summed without a look at the years before', async () => {
  const last = BigInt(PAST + RECENT);
  const except = [{ address: SIGNER_ACCOUNT, first: last, last }];
  const { result, read } = await counted('chain_%', (tx) =>
    sumSignedSince(tx, PLACE, { asset: 'USDC', since: SINCE, except }),
  );
  expect(result).toBe(BigInt(COUNTED));
  expect(read).toBeLessThanOrEqual(READ_MAX);
});

it('what must be at an address is summed without reading what came to the others', async () => {
  const address = `0x${'6'.padStart(40, '0')}`;
  const { result, read } = await counted('deposits', (tx) =>
    sumTokensAt(tx, PLACE, [address], BigInt(PAST)),
  );
  expect(result).toEqual(new Map([[address, new Map([['USDC', 6n]])]]));
  expect(read).toBe(1);
});

it('what lies at an address below the floor is summed and taken without reading all that came there', async () => {
  const upTo = BigInt(DUST - DUST_LATER);
  const sum = await counted('dust_%', (tx) => sumTokensAt(tx, PLACE, [DUST_TO], upTo));
  let amount = 0n;
  for (let n = 1n; n <= upTo; n += 1n) amount += 1n + (n % 1_000n);
  expect(sum.result).toEqual(new Map([[DUST_TO, new Map([['USDC', amount]])]]));
  expect(sum.read).toBeLessThanOrEqual(1 + DUST_LATER);
  const largest = await counted('dust_%', (tx) =>
    readLargestDust(tx, PLACE, { asset: 'USDC', address: DUST_TO }, 20),
  );
  expect(largest.result.map((one) => one.amount)).toEqual(Array.from({ length: 20 }, () => 1_000n));
  expect(largest.read).toBeLessThanOrEqual(20);
});
