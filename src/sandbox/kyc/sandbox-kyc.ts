import { randomBytes } from 'node:crypto';
import type { Clock } from '../../domain/clock.ts';
import { createCallbackSender } from '../callback-sender.ts';
import { openJournalFile } from '../journal-file.ts';
import type { SandboxLog } from '../sandbox-log.ts';
import { createSandboxServer } from '../sandbox-server.ts';
import { createTimerSet } from '../timer-set.ts';
import { createCheckService } from './check-service.ts';
import { createKycState } from './kyc-state.ts';
import type { KycFact } from './kyc-state.ts';
import { createKycRoutes } from './kyc-routes.ts';
import { DEFAULT_KYC_TIMINGS } from './kyc-timings.ts';
import type { KycTimings } from './kyc-timings.ts';

interface SandboxKycOptions {
  /** Without one the provider remembers nothing. Two running providers must not share one. */
  readonly journalFile: string | null;
  readonly callbackUrl: string;
  /** `whsec_` and base64. */
  readonly callbackSecret: string;
  /** Where browsers reach the hosted pages; the listening address when left out. */
  readonly publicUrl?: string;
  readonly clock: Clock;
  readonly timings?: Partial<KycTimings>;
  readonly log: SandboxLog;
}

export interface SandboxKyc {
  /** Port 0 takes a free one. Resolves to the URL, which has no slash at its end. */
  listen(port: number, host?: string): Promise<string>;
  readonly url: string;
  close(): Promise<void>;
}

/**
 * The sandbox's KYC provider. Its contract, which any other provider's adapter may speak as well:
 *
 * `PUT /checks/{reference}` with `{type: INDIVIDUAL|BUSINESS, lastName}` starts a check and answers
 * 201 (200 when repeated) `{id, reference, status, reasons, version, url, documents}`. `reference` is the
 * caller's, `[A-Za-z0-9_-]{1,100}`; another `type` under the same reference is 409. `url` is the
 * hosted page, `documents` what the caller is to ask the end-user for. Other fields are ignored. Bad input: 400 `{error, field, message}`.
 *
 * `GET /checks/{reference}` answers 200 with the same shape, or 404. `status` is PENDING, IN_REVIEW,
 * APPROVED, REJECTED, RESUBMISSION_REQUIRED, REVOKED or EXPIRED; `reasons` are
 * `{code, message, retryable}`; `version` goes up by one with every move.
 *
 * `PUT /checks/{reference}/documents/{id}?type=` with a JPEG, PNG or PDF of up to 10 MiB and its
 * `content-digest` (RFC 9530) answers 201 (200 when repeated); other bytes under the same id are 409. Only
 * the SHA-256 is kept. A check that waits for documents is taken up again by the first, and approved.
 *
 * `PUT /checks/{reference}/status` with `{status}` is the sandbox's alone: it moves a check by hand, through the
 * states between, and answers 200, or 409 where no way leads there. One that is not started yet is moved as soon as it
 * is: 202.
 *
 * `GET /hosted/{id}` is the page for the end-user. `GET /health` answers 200.
 *
 * Every move is posted to the callback URL as `{reference, status, reasons, version, at}`, signed as
 * Standard Webhooks 1.0, and repeated with growing pauses until a 2xx. A receiver drops versions
 * that it has.
 *
 * The last name decides: Reject, Resubmit, Review (stays IN_REVIEW), Revoke (APPROVED, then REVOKED
 * 2 s later); Approve and every other name are approved. PENDING -> IN_REVIEW -> outcome takes less
 * than a second. No name is kept, only the outcome.
 *
 * Throws RangeError for a malformed secret and Error for a damaged journal.
 */
export async function createSandboxKyc(options: SandboxKycOptions): Promise<SandboxKyc> {
  const { callbackUrl, callbackSecret, clock, log } = options;
  const timings = { ...DEFAULT_KYC_TIMINGS, ...options.timings };
  const sender = createCallbackSender({
    ...{ url: callbackUrl, secret: callbackSecret },
    ...{ clock, timings: timings.callbacks, log },
  });
  const state = createKycState();
  const journal = await openJournalFile<KycFact>(options.journalFile, state.apply);
  const timers = createTimerSet(log);
  const newCheckId = () => `chk_${randomBytes(16).toString('hex')}`;
  const service = createCheckService({
    ...{ state, journal, sender, timers },
    ...{ clock, newCheckId, timings },
  });
  const publicUrl = () => options.publicUrl ?? server.url;
  const server = createSandboxServer(
    createKycRoutes({ state, service, flush: journal.flush, publicUrl }),
    log,
  );

  return {
    async listen(port, host) {
      const url = await server.listen(port, host);
      service.resume();
      return url;
    },
    get url() {
      return server.url;
    },
    async close() {
      timers.clear();
      await sender.stop();
      await server.close();
      await journal.close();
    },
  };
}
