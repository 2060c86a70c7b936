import type { AskAnswer, SubmitAnswer, Why } from '../connector.ts';
import { isJsonObject, readBankReference, readInstant, readReason } from './bounded-text.ts';
import type { JsonObject } from './bounded-text.ts';
import type { ExchangeOutcome } from './exchange.ts';
import { readJsonBody } from './read-json-body.ts';

type Answer = Extract<ExchangeOutcome, { kind: 'ANSWER' }>;

const submitStatuses = ['ACCEPTED', 'SETTLED', 'REJECTED'] as const;
const askStatuses = ['ACCEPTED', 'SETTLED', 'REJECTED', 'RETURNED'] as const;

/**
 * What the answer to a PUT means. Only a whole answer that keeps the contract to the letter counts;
 * everything doubtful is UNKNOWN, which costs a question and never money.
 */
export function judgeSubmit(outcome: ExchangeOutcome, reference: string): SubmitAnswer {
  if (outcome.kind === 'NOT_SENT') return outcome;
  if (outcome.kind === 'BROKEN') return { kind: 'UNKNOWN', why: outcome.why };
  const { status } = outcome;
  if (status === 503) return { kind: 'UNAVAILABLE' };
  if (status === 401 || status === 403 || status === 409) {
    return { kind: 'REFUSED', httpStatus: status };
  }
  if (status < 200 || status > 299) return { kind: 'UNKNOWN', why: `HTTP_${status}` };
  if (outcome.kind === 'HALF_ANSWER') return { kind: 'UNKNOWN', why: whyHalf(outcome.why) };
  const json = status === 200 || status === 201 ? readJsonBody(outcome) : undefined;
  const said = isJsonObject(json) && json['reference'] === reference ? json : null;
  const found = submitStatuses.find((known) => known === said?.['status']);
  if (said === null || found === undefined) return { kind: 'UNKNOWN', why: 'GARBAGE' };
  return { kind: 'ANSWERED', status: found, ...wordsOf(said, found === 'REJECTED') };
}

/**
 * What the answer to a GET of a transfer means. Only a whole 404 says that the bank never saw it; a
 * page for people is a gateway's, which knows nothing of transfers.
 */
export function judgeAsk(outcome: ExchangeOutcome, reference: string): AskAnswer {
  if (outcome.kind === 'NOT_SENT' || outcome.kind === 'BROKEN') {
    return { kind: 'UNKNOWN', why: outcome.why };
  }
  if (outcome.status === 404) {
    const isBanks = outcome.kind === 'ANSWER' && !/^text\/html\b/i.test(outcome.contentType);
    return isBanks ? { kind: 'MISSING' } : { kind: 'UNKNOWN', why: 'GARBAGE' };
  }
  if (outcome.status !== 200) {
    const isSuccess = outcome.status >= 200 && outcome.status <= 299;
    return { kind: 'UNKNOWN', why: isSuccess ? 'GARBAGE' : `HTTP_${outcome.status}` };
  }
  if (outcome.kind === 'HALF_ANSWER') return { kind: 'UNKNOWN', why: whyHalf(outcome.why) };
  return judgeFound(outcome, reference);
}

function judgeFound(answer: Answer, reference: string): AskAnswer {
  const json = readJsonBody(answer);
  // The contract's GET need not repeat the reference; where it does, it has to be ours.
  const isOurs = isJsonObject(json) && (json['reference'] ?? reference) === reference;
  const said = isOurs ? json : null;
  const found = askStatuses.find((known) => known === said?.['status']);
  if (said === null || found === undefined) return { kind: 'UNKNOWN', why: 'GARBAGE' };
  const settledAt = readInstant(said['settledAt']);
  const hasReason = found === 'REJECTED' || found === 'RETURNED';
  const words = wordsOf(said, hasReason);
  return { kind: 'FOUND', status: found, ...words, ...(settledAt && { settledAt }) };
}

function wordsOf(said: JsonObject, hasReason: boolean) {
  const bankReference = readBankReference(said['bankReference']);
  return {
    ...(bankReference !== undefined && { bankReference }),
    ...(hasReason && { reason: readReason(said['reason']) }),
  };
}

/** An answer cut short or without end is not the contract's; only a deadline keeps its own name. */
function whyHalf(why: Why): Why {
  return why === 'TIMEOUT' ? 'TIMEOUT' : 'GARBAGE';
}
