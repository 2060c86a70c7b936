import type {
  AskAnswer,
  SubmitAnswer,
  TransferReport,
} from '../../domain/payments/transfer-report.ts';
import {
  isJsonObject,
  readBankReference,
  readInstant,
  readReason,
} from '../../domain/payments/bank-messages/bounded-fields.ts';
import type { JsonObject } from '../../domain/payments/bank-messages/bounded-fields.ts';
import type { ExchangeOutcome } from '../http/exchange.ts';
import { readJsonBody } from '../http/read-json-body.ts';
import type { Why } from '../http/why.ts';

type Answer = Extract<ExchangeOutcome, { readonly kind: 'ANSWER' }>;

const SUBMIT_STATUSES = ['ACCEPTED', 'SETTLED', 'REJECTED'] as const;
const ASK_STATUSES = [...SUBMIT_STATUSES, 'RETURNED'] as const;

/** The bank refuses the request itself: who asks (401, 403), or other bytes under the reference (409). */
const REFUSALS: ReadonlySet<number> = new Set([401, 403, 409]);

/** How a proxy says that the bank did not answer it: behind it the request may still be worked on (RFC 9110). */
const BY_PROXY: ReadonlySet<number> = new Set([408, 502, 504]);

/**
 * What the answer to a PUT means. Only a whole answer that keeps the contract to the letter is a
 * report; a status of the bank's own that settles nothing is UNCLEAR and starts its clock for "never
 * seen", everything else is SILENCE.
 */
export function judgeSubmit(outcome: ExchangeOutcome, reference: string): SubmitAnswer {
  if (outcome.kind === 'NOT_SENT') return outcome;
  if (outcome.kind === 'BROKEN') return { kind: 'SILENCE', why: outcome.why };
  const { status } = outcome;
  const why = `HTTP_${status}` as const;
  if (REFUSALS.has(status)) return { kind: 'REFUSED', why };
  if (status < 200 || status > 299)
    return { kind: BY_PROXY.has(status) ? 'SILENCE' : 'UNCLEAR', why };
  if (outcome.kind === 'HALF_ANSWER') return { kind: 'SILENCE', why: whyHalf(outcome.why) };
  const json = status === 200 || status === 201 ? readJsonBody(outcome) : undefined;
  const said = isJsonObject(json) && json['reference'] === reference ? json : null;
  const found = SUBMIT_STATUSES.find((known) => known === said?.['status']);
  if (said === null || found === undefined) return { kind: 'SILENCE', why: 'GARBAGE' };
  return { kind: 'REPORT', report: reportOf(found, said) };
}

/**
 * What the answer to a GET of a transfer means. Only a whole 404 says that the bank never saw it; a
 * page for people is a gateway's, which knows nothing of transfers.
 */
export function judgeAsk(outcome: ExchangeOutcome, reference: string): AskAnswer {
  if (outcome.kind === 'NOT_SENT' || outcome.kind === 'BROKEN') {
    return { kind: 'SILENCE', why: outcome.why };
  }
  if (outcome.status === 404) {
    const isBanks = outcome.kind === 'ANSWER' && !/^text\/html\b/i.test(outcome.contentType);
    return isBanks ? { kind: 'NEVER_SEEN' } : { kind: 'SILENCE', why: 'GARBAGE' };
  }
  if (outcome.status !== 200) {
    const isSuccess = outcome.status >= 200 && outcome.status <= 299;
    return { kind: 'SILENCE', why: isSuccess ? 'GARBAGE' : `HTTP_${outcome.status}` };
  }
  if (outcome.kind === 'HALF_ANSWER') return { kind: 'SILENCE', why: whyHalf(outcome.why) };
  return judgeFound(outcome, reference);
}

function judgeFound(answer: Answer, reference: string): AskAnswer {
  const json = readJsonBody(answer);
  // The contract's GET need not repeat the reference; where it does, it has to be ours.
  const isOurs = isJsonObject(json) && (json['reference'] ?? reference) === reference;
  const said = isOurs ? json : null;
  const found = ASK_STATUSES.find((known) => known === said?.['status']);
  if (said === null || found === undefined) return { kind: 'SILENCE', why: 'GARBAGE' };
  return { kind: 'REPORT', report: reportOf(found, said) };
}

function reportOf(status: TransferReport['status'], said: JsonObject): TransferReport {
  const hasReason = status === 'REJECTED' || status === 'RETURNED';
  const settledAt = readInstant(said['settledAt']);
  return {
    status,
    bankReference: readBankReference(said['bankReference']) ?? null,
    reason: hasReason ? readReason(said['reason']) : null,
    returnedAmount: null,
    at: settledAt === undefined ? null : new Date(settledAt),
  };
}

/** An answer cut short or without end is not the contract's; only a deadline keeps its own name. */
function whyHalf(why: Why): Why {
  return why === 'TIMEOUT' ? 'TIMEOUT' : 'GARBAGE';
}
