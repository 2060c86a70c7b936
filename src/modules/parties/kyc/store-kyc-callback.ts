import type { Database } from '../../../db/client/database.ts';
import { findKycCheckScope } from '../../../db/parties/kyc-check-store.ts';
import { insertKycReport } from '../../../db/parties/kyc-report-store.ts';
import type { Clock } from '../../../domain/clock.ts';
import type { KycStatus } from '../../../domain/parties/kyc/kyc-states.ts';
import type { Environment } from '../../../domain/scope.ts';

/** What a provider's signed callback said. */
interface KycCallbackMessage {
  /** The same on every delivery of one message. */
  readonly reportId: string;
  /** Our check id, as the provider gave it back. */
  readonly reference: string;
  readonly status: KycStatus;
  readonly reasonCodes: readonly string[];
  readonly providerVersion: number;
  /** Until when an approval holds, where the provider sets an end. */
  readonly expiresAt: Date | null;
}

/**
 * Stores a callback, once, and answers which check to wake for which row. Null where we know no such
 * check in the environment whose provider signed: the test provider must not approve live checks.
 */
export async function storeKycCallback(
  deps: { readonly db: Database; readonly clock: Clock },
  environment: Environment,
  message: KycCallbackMessage,
) {
  const { reference: kycCheckId, ...report } = message;
  // A provider that uses one message id twice must not hide the second: it may be a revocation.
  const reportId = `${report.reportId}:${String(report.providerVersion)}:${report.status}`;
  const owner = await findKycCheckScope(deps.db, kycCheckId);
  if (owner?.environment !== environment) return null;
  const scope = { customerId: owner.customerId, environment };
  const receivedAt = deps.clock.now();
  const rowId = await deps.db.write(scope, (tx) =>
    insertKycReport(tx, scope, { ...report, reportId, kycCheckId, receivedAt }),
  );
  return { check: { ...owner, kycCheckId }, rowId };
}
