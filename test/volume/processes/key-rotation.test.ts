import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { fundBalance } from '../../../src/modules/ledger/fund-balance.ts';
import { openEndpointSecrets } from '../../../src/modules/webhooks/endpoint-secret.ts';
import { programArguments } from '../../../src/cli/embedded/program-arguments.ts';
import { vaultConfig } from '../../../src/server/config/vault-config.ts';
import { openVault } from '../../../src/server/runtime/open-vault.ts';
import { approveEndUser } from '../../support/approve-end-user.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { startRollingApis, type RollingApis } from '../../support/operations/rolling-apis.ts';
import { SAMPLE_KEYS, sampleKey, sampleSecret } from '../../support/sample-secrets.ts';
import { addApiKey, addCustomer } from '../../support/test-customer.ts';
import { createTestScreener, putTestListInForce } from '../../support/test-screening.ts';
import { until } from '../../support/until.ts';

const KILLS = 5;
const PAY_EVERY_MS = 250;

/** Stored answers of the time before, so that a run takes longer than it takes to be killed. */
const OLDER_ROWS = 30_000;

/** Twelve starts of processes, each of which takes half a minute on a busy machine. */
const START_MS_MAX = 600_000;

const OLD = `1:${sampleKey('encryption')}`;
const NEW = `2:${sampleKey('encryption, the new one')}`;
const { PEPPER } = SAMPLE_KEYS;
const NEW_PEPPER = `1:${sampleKey('pepper, the new one')}`;
const vaultWith = (encryptionKeys: string) =>
  openVault(vaultConfig({ encryptionKeys, pepper: PEPPER }));

/** Keys and peppers rotate together: as before, told of the new ones, with the new ones, without the old ones. */
const BEFORE = { ENCRYPTION_KEYS: OLD, PEPPER };
const TOLD = { ENCRYPTION_KEYS: `${NEW},${OLD}`, PEPPER: `${NEW_PEPPER},${PEPPER}` };
const BOTH = { ENCRYPTION_KEYS: `${OLD},${NEW}`, PEPPER: `${PEPPER},${NEW_PEPPER}` };
const AFTER = { ENCRYPTION_KEYS: NEW, PEPPER: `${PEPPER}:retired,${NEW_PEPPER}` };

const clock = { now: () => new Date() };

let database: TestDatabase;
let admin: pg.Client;
let apis: RollingApis;
let scope: { readonly customerId: string; readonly environment: 'test' };
let env: Readonly<Record<string, string>>;
beforeAll(async () => {
  database = await createTestDatabase();
  admin = new pg.Client({ connectionString: database.url });
  await admin.connect();
  const vault = await vaultWith(OLD);
  await putTestListInForce(
    { db: database.db, clock },
    createTestScreener({ db: database.db, vault, clock }).provider,
  );
  const customerId = await database.db.system((tx) => addCustomer(tx));
  scope = { customerId, environment: 'test' };
  const { token } = await database.db.system((tx) => addApiKey(tx, vault, scope));
  env = {
    ...{ DATABASE_URL: database.url, LOG_LEVEL: 'silent', RATE_LIMITS: 'relaxed' },
    // Nothing listens there: the API accepts payments without Temporal and the bank.
    ...{ TEMPORAL_ADDRESS: '127.0.0.1:9', TEST_BANK_URL: 'http://127.0.0.1:9' },
    ...{ TEST_BANK_CALLBACK_SECRET: sampleSecret('bank'), TEST_WEBHOOK_ALLOW_LOOPBACK: 'true' },
  };
  apis = await startRollingApis(env, token);
  await apis.replace(BEFORE);
});
afterAll(async () => {
  await apis.stop();
  await admin.end();
  await database.close();
});

async function create(path: string, body: object): Promise<Record<string, unknown>> {
  const answer = await apis.send('POST', path, body, `create ${path}`);
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body;
}

/** Answers to requests of earlier days, which the vault's own key has sealed, and whose requests it has hashed. */
async function storeOlderAnswers(): Promise<void> {
  const vault = await vaultWith(OLD);
  const keys = Array.from({ length: OLDER_ROWS }, (_none, n) => `older ${String(n)}`);
  await admin.query(
    `INSERT INTO idempotency_keys (customer_id, environment, key, request_mac, status_code, response,
       created_at, expires_at)
     SELECT $1, $2, key, mac, 200, response, now(), now() + interval '20 days'
     FROM unnest($3::text[], $4::bytea[], $5::bytea[]) AS given (key, response, mac)`,
    [
      ...[scope.customerId, scope.environment, keys],
      keys.map((key) =>
        vault.seal(
          Buffer.from('{}'),
          `idempotency_keys/${scope.customerId}/${scope.environment}/${key}`,
        ),
      ),
      keys.map((key) => vault.keyedHash('idempotent-request', key)),
    ],
  );
}

/** Pays every now and then until it is told to stop; answers each payment by its key. */
function keepPaying(order: object) {
  let isOver = false;
  const paid = new Map<string, Record<string, unknown>>();
  const statuses = new Set<number>();
  const paying = (async () => {
    for (let n = 0; !isOver; n += 1) {
      const key = `payment ${String(n)}`;
      const { status, body } = await apis.send('POST', '/payments', order, key);
      statuses.add(status);
      paid.set(key, body);
      await pause(PAY_EVERY_MS);
    }
  })();
  // Awaited below; meanwhile a failure must not end the process.
  paying.catch(() => undefined);
  return {
    count: () => paid.size,
    async stop() {
      isOver = true;
      await paying;
      return { paid, statuses };
    },
  };
}

function runSecrets(
  settings: Readonly<Record<string, string>>,
  ...args: readonly string[]
): ChildProcess {
  return spawn(process.execPath, [...programArguments('src/cli/ops.ts'), 'secrets', ...args], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: { PATH: process.env['PATH'], ...env, ...settings },
  });
}

async function exitCodeOf(child: ChildProcess): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  return child.exitCode;
}

const OLD_SEALED = 'octet_length(response) > 0 AND get_byte(response, 0) = 1';
const OLD_HASHED = 'octet_length(request_mac) = 32';

async function countOld(which: typeof OLD_SEALED | typeof OLD_HASHED): Promise<number> {
  const { rows } = await admin.query<{ count: number }>(
    `SELECT count(*)::integer AS count FROM idempotency_keys WHERE ${which}`,
  );
  return rows[0]?.count ?? 0;
}

/** What end-users gave is sealed under keys of their own: it may be that no process has used the new key yet. */
const RESEAL = ['reseal', '--operator', 'ada', '--unused-key'];

it(
  'keys and peppers rotate under load, the command killed five times: nothing is refused, and all is found and readable without the old ones',
  { timeout: START_MS_MAX },
  async () => {
    const person = { firstName: 'Ada', lastName: 'Sample' };
    const endUser = await create('/end-users', { type: 'INDIVIDUAL', individual: person });
    const endUserId = String(endUser['id']);
    await approveEndUser(database.db, scope, endUserId, new Date());
    // The helper stores no link: nothing is to be found in its place.
    await admin.query(`UPDATE kyc_checks SET link_token = ''`);
    const account = await create('/bank-accounts', {
      ...{ endUserId, country: 'DE', currency: 'EUR', holderName: 'Ada Sample' },
      ...{ holderType: 'INDIVIDUAL', details: { iban: 'DE89370400440532013000' } },
    });
    const endpoint = await create('/webhook-endpoints', { url: 'http://127.0.0.1:9/one' });
    await database.db.write(scope, (tx) =>
      fundBalance(tx, scope, { currency: 'EUR', amount: 100_000_000n, rail: 'SEPA' }, new Date()),
    );
    await storeOlderAnswers();

    const order = { endUserId, bankAccountId: account['id'], amount: '10.00', currency: 'EUR' };
    const payer = keepPaying(order);
    await until('payments under the old key', () => (payer.count() > 3 ? true : null));
    await apis.replace(TOLD);
    await apis.replace(BOTH);

    for (let kill = 1; kill <= KILLS; kill += 1) {
      // It moves hashes once everything is sealed: the last kill comes then.
      const which = kill < KILLS ? OLD_SEALED : OLD_HASHED;
      const before = await countOld(which);
      const victim = runSecrets(BOTH, ...RESEAL);
      const ended = once(victim, 'exit');
      while (victim.exitCode === null && (await countOld(which)) === before) await pause(10);
      victim.kill('SIGKILL');
      await ended;
      expect(victim.signalCode, `kill ${String(kill)} came in the middle`).toBe('SIGKILL');
    }
    expect(await countOld(OLD_HASHED)).toBeGreaterThan(0);
    expect(await exitCodeOf(runSecrets(BOTH, 'status'))).toBe(1);
    expect(await exitCodeOf(runSecrets(BOTH, ...RESEAL))).toBe(0);

    // The old key is gone for good, and the old pepper retired.
    await apis.replace(AFTER);
    const soFar = payer.count();
    await until('payments without the old key', () => (payer.count() > soFar + 3 ? true : null));
    const { paid, statuses } = await payer.stop();
    expect([...statuses]).toEqual([201]);
    expect(await exitCodeOf(runSecrets(AFTER, 'status'))).toBe(0);

    for (const [key, body] of paid) {
      expect(await apis.send('POST', '/payments', order, key)).toEqual({ status: 201, body });
    }
    expect((await apis.send('GET', `/end-users/${endUserId}`)).body).toMatchObject({
      individual: person,
    });
    expect((await apis.send('GET', `/bank-accounts/${String(account['id'])}`)).body).toMatchObject({
      holderName: 'Ada Sample',
    });
    const { rows } = await admin.query<{ secret: Buffer }>('SELECT secret FROM webhook_endpoints');
    const sealed = rows[0]?.secret ?? Buffer.alloc(0);
    const secrets = openEndpointSecrets(
      await vaultWith(NEW),
      String(endpoint['id']),
      sealed,
      new Date(),
    );
    expect(secrets).toEqual([endpoint['secret']]);
  },
);
