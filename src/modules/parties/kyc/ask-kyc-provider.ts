import type { Database } from '../../../db/client/database.ts';
import { findEndUser } from '../../../db/parties/end-user-store.ts';
import { findKycCheck, saveKycOpening } from '../../../db/parties/kyc-check-store.ts';
import {
  findWaitingKycDocument,
  markKycDocumentHandedOn,
} from '../../../db/parties/kyc-document-store.ts';
import { insertKycReport } from '../../../db/parties/kyc-report-store.ts';
import type { Clock } from '../../../domain/clock.ts';
import { KYC_DOCUMENTS_AT_ONCE_MAX } from '../../../domain/parties/kyc/kyc-document.ts';
import {
  KycProviderError,
  type KycProvider,
  type KycProviderFailure,
} from '../../../domain/parties/kyc/kyc-provider.ts';
import type { Environment, Scope } from '../../../domain/scope.ts';
import type { KycCheckRef } from '../../../domain/workflows/work-refs.ts';
import { isErased } from '../../../vault/owner-key.ts';
import type { Vault } from '../../../vault/vault.ts';
import { kycDocumentRow } from './keep-kyc-upload.ts';
import { kycCheckRow } from './kyc-link.ts';
import { kycOpening } from './kyc-opening.ts';

export interface AskKycProviderDeps {
  readonly db: Database;
  readonly vault: Vault;
  readonly clock: Clock;
  /** Live has none until the operator names one. */
  readonly providers: Readonly<Partial<Record<Environment, KycProvider>>>;
  /** For the log: the caller learns only that the provider did not answer as agreed. */
  readonly onProviderFailure: (code: KycProviderFailure, kycCheckId: string) => void;
}

/** Why the step was not done. UNANSWERED: the provider did not answer as agreed, and asking again is harmless. */
export type KycProblem = 'NOT_FOUND' | 'NO_PROVIDER' | 'UNANSWERED';

export class KycStepFailed extends Error {
  readonly problem: KycProblem;

  constructor(problem: KycProblem) {
    super(problem);
    this.name = 'KycStepFailed';
    this.problem = problem;
  }
}

export const kycScopeOf = ({ customerId, environment }: KycCheckRef): Scope => ({
  customerId,
  environment,
});

/**
 * The questions to the KYC provider about one check. Each may run twice: the provider takes the same id twice as
 * once, and a report is stored once. Each throws KycStepFailed where the provider does not answer as agreed.
 */
export function createAskKycProvider(deps: AskKycProviderDeps) {
  const { db, vault, clock } = deps;

  function providerOf(check: KycCheckRef): KycProvider {
    const provider = deps.providers[check.environment];
    if (provider === undefined) throw new KycStepFailed('NO_PROVIDER');
    return provider;
  }

  async function open(check: KycCheckRef): Promise<void> {
    const scope = kycScopeOf(check);
    const stored = await db.read(scope, async (tx) => {
      const row = await findKycCheck(tx, scope, check.kycCheckId);
      const endUser = row && (await findEndUser(tx, scope, row.endUserId));
      return row && endUser && { row, endUser };
    });
    if (stored === null) throw new KycStepFailed('NOT_FOUND');
    // No one is left to be checked.
    if (isErased(stored.row)) return;
    // No transaction is open here: a slow provider must not hold a connection.
    const { url, documents } = await providerOf(check).openCheck(kycOpening(stored, vault));
    const sealed = vault.of(stored.row).seal(Buffer.from(url), kycCheckRow(check.kycCheckId));
    const opened = { providerUrl: sealed, documentsAsked: documents };
    await db.write(scope, (tx) => saveKycOpening(tx, scope, check.kycCheckId, opened));
  }

  async function ask(check: KycCheckRef): Promise<void> {
    const answer = await providerOf(check).getCheck(check.kycCheckId);
    if (answer === null) return open(check);
    const scope = kycScopeOf(check);
    await db.write(scope, (tx) =>
      insertKycReport(tx, scope, {
        kycCheckId: check.kycCheckId,
        // Of its own also where the provider says something else of the same version.
        reportId: `poll:${String(answer.version)}:${answer.status}`,
        status: answer.status,
        reasonCodes: answer.reasonCodes,
        providerVersion: answer.version,
        expiresAt: answer.expiresAt,
        receivedAt: clock.now(),
      }),
    );
  }

  async function handOn(check: KycCheckRef): Promise<void> {
    const scope = kycScopeOf(check);
    let after = '';
    for (let count = 0; count < KYC_DOCUMENTS_AT_ONCE_MAX; count += 1) {
      const from = after;
      const document = await db.read(scope, (tx) =>
        findWaitingKycDocument(tx, scope, check.kycCheckId, from),
      );
      if (document === null || isErased(document)) return;
      const { id, type, contentType } = document;
      const content = vault.of(document).open(document.content, kycDocumentRow(id));
      // No transaction is open here. Cut off behind it, the same id is put again: the same document.
      await providerOf(check).putDocument(check.kycCheckId, { id, type, contentType, content });
      await db.write(scope, (tx) => markKycDocumentHandedOn(tx, scope, id, clock.now()));
      after = id;
    }
  }

  const asking = (work: (check: KycCheckRef) => Promise<void>) => async (check: KycCheckRef) => {
    try {
      await work(check);
    } catch (error) {
      if (!(error instanceof KycProviderError)) throw error;
      deps.onProviderFailure(error.code, check.kycCheckId);
      throw new KycStepFailed('UNANSWERED');
    }
  };

  return {
    /** Opens the check at the provider, and keeps the provider's page for the end-user. */
    openCheck: asking(open),
    /** Stores what the provider says of the check; opens it where the provider does not know it. */
    askStatus: asking(ask),
    /** Hands the check's waiting documents on to the provider. */
    handDocumentsOn: asking(handOn),
  };
}
