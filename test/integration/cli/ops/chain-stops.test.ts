import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../support/database.ts';
import { createTestClock } from '../../../support/test-clock.ts';
import { createOpsCommands, type OpsCommands } from '../../../support/cli/ops/ops-commands.ts';

const HASH = `0x${'ab'.repeat(32)}`;
const ACT = ['--reason', 'final again', '--operator', 'ada'];

let database: TestDatabase;
let ops: OpsCommands;
beforeAll(async () => {
  database = await createTestDatabase();
  ops = createOpsCommands(database.commands, createTestClock());
});
afterAll(() => database.close());

const resume = (block: string, network = 'BASE') =>
  ops('chain', 'resume', network, '--environment', 'test', '--block', block, ...ACT);

it('chain stops and resume: a stopped network is listed, and handed in to go on behind the missing block', async () => {
  expect(await ops('chain', 'stops')).toEqual({ code: 0, printed: 'No network is stopped.' });
  expect(await resume(`9:${HASH}`)).toEqual({
    code: 1,
    printed: 'The network BASE is not stopped.',
  });
  await database.db.system((tx) =>
    tx.query(
      `INSERT INTO chain_stops (environment, network, block_number, block_hash, stopped_at)
       VALUES ('test', 'BASE', 7, $1, '2026-01-02T03:04:05Z')`,
      [HASH],
    ),
  );
  const { printed } = await ops('chain', 'stops');
  expect(printed).toContain(`7:${HASH}`);
  expect(printed).toMatch(/STOPPED +-$/m);
  expect((await resume(`7:${HASH}`)).printed).toContain(
    'must come after the block that disappeared',
  );
  expect((await resume('9:0x12')).code).not.toBe(0);
  expect(await resume(`9:${HASH}`)).toMatchObject({ code: 0 });
  expect((await resume(`9:${HASH}`)).printed).toContain('is already open');
  expect((await ops('approvals', 'list')).printed).toContain('CHAIN_RESUMPTION');
});

it('chain set-aside lists what the database refused, with the code and the next try', async () => {
  expect((await ops('chain', 'set-aside')).printed).toBe('No deposit is set aside.');
  await database.db.system((tx) =>
    tx.query(
      `INSERT INTO set_aside_deposits (environment, network, tx_hash, ordinal, to_address, why, tries,
         since, tried_at, next_at)
       VALUES ('test', 'BASE', $1, 3, '0x4000000000000000000000000000000000000001', '23514', 4,
         '2026-01-02T03:04:05Z', '2026-01-02T03:05:05Z', '2026-01-02T03:06:05Z')`,
      [HASH],
    ),
  );
  const { printed } = await ops('chain', 'set-aside');
  expect(printed).toContain(HASH);
  expect(printed).toMatch(/23514 +4 +2026-01-02T03:04:05.000Z +2026-01-02T03:06:05.000Z/);
});

it('chain dust lists what is too little to be a deposit, by address', async () => {
  expect((await ops('chain', 'dust')).printed).toBe('Nothing lies below the floor of its asset.');
  await database.db.system((tx) =>
    tx.query(
      `INSERT INTO dust_transfers (environment, network, tx_hash, asset, to_address, amount, transfers,
         block_number, found_at)
       VALUES ('test', 'BASE', $1, 'USDC', '0x4000000000000000000000000000000000000001', 1, 12, 7,
         '2026-01-02T03:04:05Z')`,
      [HASH],
    ),
  );
  const { printed } = await ops('chain', 'dust');
  expect(printed).toMatch(/0x40+1 +0\.000012 USDC +12 +2026-01-02T03:04:05.000Z/);
});
