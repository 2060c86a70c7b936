import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { ChainDeps } from '../../../src/modules/onchain/chain-deps.ts';
import { refuseStatements } from '../../support/onchain/refuse-statements.ts';
import { createSignerHarness, type SignerHarness } from '../../support/onchain/signer-harness.ts';
import { withSuperuser } from '../../support/onchain/sweep-parts.ts';

let harness: SignerHarness;
let startOver: () => Promise<void>;
let told: string[];
beforeAll(async () => {
  harness = await createSignerHarness();
  startOver = await harness.keepStart();
});
beforeEach(async () => {
  await startOver();
  told = [];
});
afterAll(() => harness.close());

const going: Partial<ChainDeps> = { onFault: (about) => void told.push(about) };

const plant = (sql: string) =>
  withSuperuser(harness.database.url, (superuser) =>
    superuser.query(`SET session_replication_role = replica; ${sql}`),
  );

/** The values of a statement, as text. */
const namesOf = (values: object | undefined): string =>
  Object.values(values ?? {})
    .flat()
    .map(String)
    .join(' ');

/** Blocks with a poll cycle after each, that go past faults. */
async function makeFinal(): Promise<void> {
  for (let block = 0; block < 12; block += 1) {
    await harness.anvil.mine();
    await harness.poll(going);
  }
}

it('a nonce whose row is not as it must be stops no payment behind it, and is told', async () => {
  const broken = await harness.send();
  const other = await harness.send();
  await harness.poll(going);
  // As a bug would leave it: a nonce of a transfer that is not there.
  await plant(`DELETE FROM chain_transfers WHERE reference = '${broken.reference}'`);
  await makeFinal();
  expect(new Set(told)).toEqual(new Set([`${harness.signerAccount}/0`]));
  expect(await harness.payment(other.id)).toMatchObject({ finality: 'FINAL' });
  expect(await harness.payment(broken.id)).toMatchObject({ status: 'SENT' });
});

it('a payment that cannot be told keeps none behind it from hearing', async () => {
  const broken = await harness.send();
  const other = await harness.send();
  await harness.poll(going);
  const db = refuseStatements(harness.deps.db, (text, values) =>
    text.includes('INTO transfer_reports') && namesOf(values).includes(broken.id)
      ? new RangeError('a broken row')
      : null,
  );
  const refusing: Partial<ChainDeps> = { ...going, db };
  await harness.anvil.mine(8);
  await harness.poll(refusing);
  await harness.poll(refusing);
  expect(told).toContain(broken.reference);
  expect(await harness.payment(other.id)).toMatchObject({ status: 'COMPLETED' });
});

/** So many transfers as a bug would leave them: they are older, and their payments are not there. */
const plantOlder = (count: number, reference: string, change: object) =>
  plant(`INSERT INTO chain_transfers SELECT (jsonb_populate_record(t, jsonb_build_object('reference',
      'BROKEN' || n, 'payment_id', 'pay_none' || n, 'created_at', t.created_at - interval '1 hour')
      || '${JSON.stringify(change)}')).*
    FROM chain_transfers t, generate_series(1, ${String(count)}) n WHERE t.reference = '${reference}'`);

it('two hundred payments that cannot be told keep none behind them from hearing', async () => {
  const { id, reference } = await harness.send();
  await plantOlder(200, reference, { state: 'FINAL', told: 'SETTLED' });
  await harness.poll(going);
  await makeFinal();
  expect(told).toContain('BROKEN200');
  expect(await harness.payment(id)).toMatchObject({ finality: 'FINAL' });
});

it('what payments are told to wait for keeps none from hearing that it is paid', async () => {
  const { id, reference } = await harness.send();
  await harness.poll(going);
  await plantOlder(450, reference, { state: 'CARRIED', hold: 'STALLED' });
  await harness.anvil.mine(4);
  await harness.poll(going);
  const toldOf = 'SELECT told FROM chain_transfers WHERE payment_id = $1';
  expect(await harness.rows(toldOf, [id])).toEqual([{ told: 'SETTLED' }]);
});

it('a database that cannot serve ends the poll cycle: the next one begins anew', async () => {
  await harness.send();
  const { db } = harness.deps;
  const gone = Object.assign(new Error('gone'), { code: 'ECONNRESET' });
  let calls = 0;
  const outage: Partial<ChainDeps> = {
    ...going,
    db: { ...db, system: (work) => ((calls += 1) > 6 ? Promise.reject(gone) : db.system(work)) },
  };
  await expect(harness.poll(outage)).rejects.toBe(gone);
  expect(told).toEqual([]);
});
