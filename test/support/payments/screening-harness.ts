import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { createPaymentActivities } from '../../../activities/payments/payments.ts';
import type { PaymentStep } from '../../../src/domain/payments/next-step.ts';
import { createConnectorRegistry } from '../../../src/domain/payments/connector-registry.ts';
import type {
  ScreeningFailure,
  ScreeningProvider,
} from '../../../src/domain/parties/screening/screening-provider.ts';
import { createFileScreening } from '../../../src/adapters/screening/file-screening.ts';
import { lookAtList } from '../../../src/modules/parties/screening/look-at-list.ts';
import { rescreen } from '../../../src/modules/parties/screening/rescreen.ts';
import { createScreener, type Screener } from '../../../src/modules/parties/screening/screener.ts';
import type { Vault } from '../../../src/vault/vault.ts';
import { approveEndUser } from '../approve-end-user.ts';
import { IBAN } from '../payment-harness.ts';
import { THRESHOLD_PERCENT } from '../test-screening.ts';
import { startScriptedHarness, TIMING, type ScriptedHarness } from './settlement-harness.ts';

export interface Listed {
  readonly id: string;
  readonly names: readonly string[];
  readonly kind?: 'PERSON' | 'ENTITY';
}

export interface PaidParty {
  readonly endUserId: string;
  readonly bankAccountId: string;
}

export interface ScreeningHarness extends ScriptedHarness {
  readonly provider: ScreeningProvider;
  readonly screener: Screener;
  readonly failures: ScreeningFailure[];
  /** Puts another list in the file's place and in force. */
  putList(...entries: Listed[]): Promise<void>;
  /** The same, before a worker has noticed it. */
  writeList(...entries: Listed[]): void;
  /** Activities over another provider, as a process with other settings has them. */
  settleWith(
    provider: ScreeningProvider | null,
    paymentId: string,
    isFirst?: boolean,
  ): Promise<PaymentStep>;
  /** An approved end-user with an account, looked up as the API does it. */
  addParty(name?: { firstName?: string; lastName?: string; holder?: string }): Promise<PaidParty>;
  /** Looks all parties up, with another provider or another vault where one is given. */
  rescreen(other?: ScreeningProvider, vault?: Vault): Promise<number>;
  /** The columns that decide. */
  screeningOf(id: string): Promise<{ status: string; list: string | null }>;
  cases(): Promise<{ id: string; outcome: string | null; party: string }[]>;
}

/** Settlement against a scripted bank, with a list of names that the test writes. */
export async function startScreeningHarness(): Promise<ScreeningHarness> {
  const folder = mkdtempSync(join(tmpdir(), 'screening-'));
  const path = join(folder, 'list.json');
  let lists = 0;
  const writeList = (...entries: Listed[]): void => {
    lists += 1;
    const listed = [{ id: `filler-${String(lists)}`, names: ['Zyx Nobodywhatever'] }, ...entries];
    const file = { entries: listed.map((entry) => ({ kind: 'PERSON', ...entry })) };
    // Beside it and renamed, as an operator is told to.
    writeFileSync(`${path}.new`, JSON.stringify(file));
    renameSync(`${path}.new`, path);
  };
  writeList();
  // Every look counts: the test's clock may stand still.
  let looks = 0;
  const restless = { now: () => new Date((looks += 10_000)) };
  const provider = createFileScreening({
    ...{ path, thresholdPercent: THRESHOLD_PERCENT, clock: restless },
    onUnusable: (error) => {
      throw error;
    },
  });
  const harness = await startScriptedHarness((deps) => screenerOver(deps, provider));
  const { db } = harness.database;
  const { vault, clock, scope } = harness;
  const { corridors, networks, addressScreening } = harness.deps;
  const deps = { db, vault, clock, corridors, networks, addressScreening };
  const screener = screenerOver(deps, provider);
  const failures: ScreeningFailure[] = [];
  await lookAtList(deps, provider, 'test');

  return {
    ...harness,
    ...{ provider, screener, failures, writeList },
    async putList(...entries) {
      writeList(...entries);
      await lookAtList(deps, provider, 'test');
    },
    settleWith(other, paymentId, isFirst = true) {
      const { settle } = createPaymentActivities({
        ...deps,
        connectors: createConnectorRegistry([
          { environment: 'test', payout: harness.connector, statements: null },
        ]),
        timing: { test: TIMING, live: TIMING },
        screener: screenerOver(deps, other),
        settings: harness.deps.settings,
        onScreeningFailure: (code) => failures.push(code),
      });
      return settle({ ...scope, paymentId, isFirst });
    },
    async addParty({ firstName = 'Grace', lastName = 'Sample', holder = 'Grace Sample' } = {}) {
      const post = async (url: string, body: object): Promise<string> => {
        const answer = await harness.ask({ method: 'POST', url, body });
        expect(answer.statusCode, answer.body).toBe(201);
        return answer.json<{ id: string }>().id;
      };
      const individual = { firstName, lastName };
      const endUserId = await post('/end-users', { type: 'INDIVIDUAL', individual });
      await approveEndUser(db, scope, endUserId, clock.now());
      const bankAccountId = await post('/bank-accounts', {
        ...{ endUserId, country: 'DE', currency: 'EUR', details: { iban: IBAN } },
        ...{ holderName: holder, holderType: 'INDIVIDUAL' },
      });
      return { endUserId, bankAccountId };
    },
    rescreen: (other = provider, keys = vault) =>
      rescreen(
        {
          ...{ db, clock, screener: screenerOver({ ...deps, vault: keys }, other) },
          heartbeat: () => undefined,
          onUnreadable: () => undefined,
        },
        other,
        'test',
      ),
    async screeningOf(id) {
      const table = id.startsWith('eu_') ? 'end_users' : 'bank_accounts';
      const [row] = await harness.rows<{ status: string; list: string | null }>(
        `SELECT screening_status AS status, screening_list AS list FROM ${table} WHERE id = $1`,
        [id],
      );
      if (row === undefined) throw new Error(`there is no ${id}`);
      return row;
    },
    cases: () =>
      harness.rows(
        `SELECT id, outcome, coalesce(end_user_id, bank_account_id) AS party
         FROM screening_cases ORDER BY seq`,
      ),
    async close() {
      await harness.close();
      rmSync(folder, { recursive: true });
    },
  };
}

function screenerOver(
  deps: Pick<Parameters<typeof createScreener>[0], 'db' | 'vault' | 'clock'>,
  provider: ScreeningProvider | null,
): Screener {
  const { db, vault, clock } = deps;
  const providers = provider === null ? {} : { test: provider };
  return createScreener({ ...{ db, vault, clock, providers }, onCase: () => undefined });
}
