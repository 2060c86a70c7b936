import type { Database } from '../../src/db/client/database.ts';
import { readDueApprovals, type DueApproval } from '../../src/db/parties/kyc-expiry-store.ts';
import type { Clock } from '../../src/domain/clock.ts';
import type { Environment } from '../../src/domain/scope.ts';
import { expireApproval } from '../../src/modules/parties/kyc/expire-approval.ts';

interface KycExpiryDeps {
  readonly db: Database;
  readonly clock: Clock;
  /** Days that an approval stands; 0: without an end of ours. */
  readonly approvalDays: Readonly<Record<Environment, number>>;
  /** For the log, as of every judging of reports. */
  readonly onContradiction: (kycCheckId: string, version: number) => void;
  /** Rows of a page. */
  readonly batch?: number;
}

/** Rows of a page. */
const BATCH = 200;
/** Approvals that are being ended at once: few, for nothing waits for them and the gates have shut already. */
const CONCURRENCY = 4;

/** Ends approvals whose end has come. To run it twice, at once or late is harmless: each is judged under its lock. */
export function createKycExpiryActivities(deps: KycExpiryDeps) {
  const { db, clock, approvalDays, batch = BATCH } = deps;

  async function expire({ check }: DueApproval): Promise<void> {
    const { customerId, environment } = check;
    const scope = { customerId, environment };
    const judging = { at: clock.now(), approvalDays: approvalDays[environment] };
    const { contradicted } = await db.write(scope, (tx) =>
      expireApproval(tx, scope, check, judging),
    );
    for (const version of contradicted) deps.onContradiction(check.kycCheckId, version);
  }

  return {
    /** Ends every KYC approval whose end has come: EXPIRED / APPROVAL_EXPIRED. */
    async expireApprovals(): Promise<void> {
      const until = clock.now();
      const failures: unknown[] = [];
      let after: DueApproval | null = null;
      for (;;) {
        const from: DueApproval | null = after;
        const due: DueApproval[] = await db.system((tx) =>
          readDueApprovals(tx, until, from, batch),
        );
        const rest = [...due];
        const runner = async () => {
          for (let one = rest.shift(); one !== undefined; one = rest.shift()) {
            await expire(one).catch((error: unknown) => failures.push(error));
          }
        };
        await Promise.all(Array.from({ length: CONCURRENCY }, runner));
        after = due.at(-1) ?? null;
        if (due.length < batch || after === null) break;
      }
      // Only now: one that fails does not keep the others from their turn.
      if (failures.length > 0) throw failures[0] as Error;
    },
  };
}
