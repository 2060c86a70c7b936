import pg from 'pg';
import type { KycCheckRef } from '../../../src/domain/workflows/work-refs.ts';
import { createCorridorTable } from '../../../src/domain/payments/corridors/corridor-table.ts';
import type { Scope } from '../../../src/domain/scope.ts';
import { lockEndUser, updateEndUser } from '../../../src/db/parties/end-user-store.ts';
import { recordEvent } from '../../../src/db/webhooks/event-store.ts';
import { requireFound } from '../../../src/domain/errors/require-found.ts';
import { endUserEvent } from '../../../src/modules/parties/end-users/end-user-view.ts';
import { requireKycAgain } from '../../../src/modules/parties/kyc/require-kyc-again.ts';
import {
  createEndUser,
  type EndUserOrder,
} from '../../../src/modules/parties/end-users/create-end-user.ts';
import { kycCheckRef, startKyc } from '../../../src/modules/parties/kyc/start-kyc.ts';
import { insertKycReport } from '../../../src/db/parties/kyc-report-store.ts';
import type { NewKycReport } from '../../../src/db/parties/kyc-report-store.ts';
import { createTestDatabase } from '../database.ts';
import { createTestClock } from '../test-clock.ts';
import { addCustomer } from '../test-customer.ts';
import { createTestVault } from '../test-vault.ts';

export type KycHarness = Awaited<ReturnType<typeof createKycHarness>>;

/** A database with one customer whose end-users have KYC checks. */
export async function createKycHarness() {
  const database = await createTestDatabase();
  const { db } = database;
  const corridors = createCorridorTable();
  const deps = { vault: createTestVault(), clock: createTestClock(), corridors };
  const customerId = await db.system((tx) => addCustomer(tx));
  const scope: Scope = { customerId, environment: 'test' };

  const startCheckOf = (order: EndUserOrder): Promise<KycCheckRef> =>
    db.write(scope, async (tx) => {
      const endUser = await createEndUser(deps, tx, scope, order);
      const started = await startKyc(deps, tx, scope, { endUserId: endUser.id });
      return kycCheckRef(scope, started.check);
    });

  async function atChangesOf(kycCheckId: string | null, act: string): Promise<void> {
    const admin = new pg.Client({ connectionString: database.url });
    await admin.connect();
    await admin.query(
      `CREATE OR REPLACE FUNCTION at_one() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
       BEGIN
         IF NEW.id = '${kycCheckId ?? ''}' THEN ${act}; END IF;
         RETURN NEW;
       END $$;
       CREATE OR REPLACE TRIGGER at_one BEFORE UPDATE ON kyc_checks
         FOR EACH ROW EXECUTE FUNCTION at_one()`,
    );
    await admin.end();
  }

  return {
    ...deps,
    db,
    scope,
    close: database.close,
    /** An end-user with a check that is PENDING. */
    startCheck: (lastName = 'Sample') =>
      startCheckOf({ type: 'INDIVIDUAL', individual: { firstName: 'Ada', lastName } }),
    startCheckOf,
    /** Changes what identifies a check's end-user. */
    async changeIdentity({ endUserId }: Pick<KycCheckRef, 'endUserId'>): Promise<void> {
      const at = deps.clock.now();
      await db.write(scope, async (tx) => {
        const found = requireFound(await lockEndUser(tx, scope, endUserId));
        const endUser = await requireKycAgain(tx, scope, found, at);
        const { externalId, personal } = endUser;
        const change = { externalId, personal, isIdentity: true, at };
        const changed = await updateEndUser(tx, scope, endUser, change);
        await recordEvent(tx, scope, endUserEvent('end_user.updated', changed, endUser), at);
      });
    },
    /** Asks for a check as POST /end-users/{id}/kyc does. */
    async askForCheck({ endUserId }: Pick<KycCheckRef, 'endUserId'>) {
      const { check, isNew } = await db.write(scope, (tx) =>
        startKyc(deps, tx, scope, { endUserId }),
      );
      return { check: kycCheckRef(scope, check), isNew };
    },
    async report(
      check: KycCheckRef,
      report: Pick<NewKycReport, 'status' | 'providerVersion'> & Partial<NewKycReport>,
    ): Promise<bigint> {
      return db.write(scope, (tx) =>
        insertKycReport(tx, scope, {
          kycCheckId: check.kycCheckId,
          reportId: `msg_${String(report.providerVersion)}`,
          reasonCodes: [],
          expiresAt: null,
          receivedAt: deps.clock.now(),
          ...report,
        }),
      );
    },
    /** Where the check and its end-user harness. */
    async standing(check: KycCheckRef) {
      const [row] = await db.system((tx) =>
        tx.query<{
          status: string;
          version: number;
          reasons: unknown;
          kyc: string;
          euVersion: number;
        }>(
          `SELECT k.status, k.version, k.reasons, e.kyc_status AS kyc, e.version AS "euVersion"
           FROM kyc_checks k JOIN end_users e ON e.id = k.end_user_id WHERE k.id = $1`,
          [check.kycCheckId],
        ),
      );
      if (row === undefined) throw new Error('there is no such check');
      return row;
    },
    async effects(check: KycCheckRef): Promise<(string | null)[]> {
      const rows = await db.system((tx) =>
        tx.query<{ effect: string | null }>(
          'SELECT effect FROM kyc_reports WHERE kyc_check_id = $1 ORDER BY id',
          [check.kycCheckId],
        ),
      );
      return rows.map((row) => row.effect);
    },
    /** The events of a resource as partners get them. */
    async eventBodies(resourceId: string): Promise<unknown[]> {
      const rows = await db.system((tx) =>
        tx.query<{ body: string }>(
          'SELECT body FROM events WHERE resource_id = $1 ORDER BY resource_version',
          [resourceId],
        ),
      );
      return rows.map((row) => JSON.parse(row.body) as unknown);
    },
    /** Makes every change of one check fail; null: of none. */
    refuseChangesOf: (kycCheckId: string | null) =>
      atChangesOf(kycCheckId, `RAISE EXCEPTION 'refused by the test'`),
    /** Ends the connection on which one check is changed; null: none. */
    killAtChangesOf: (kycCheckId: string | null) =>
      atChangesOf(kycCheckId, 'PERFORM pg_terminate_backend(pg_backend_pid())'),
    /** The events of a resource as "<version> <type>". */
    async events(resourceId: string): Promise<string[]> {
      const rows = await db.system((tx) =>
        tx.query<{ type: string; version: number }>(
          `SELECT type, resource_version AS version FROM events
           WHERE resource_id = $1 ORDER BY resource_version`,
          [resourceId],
        ),
      );
      return rows.map((row) => `${String(row.version)} ${row.type}`);
    },
  };
}
