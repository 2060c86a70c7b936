import {
  isJsonObject,
  readBankReference,
  readInstant,
  readReason,
  readReference,
} from './bounded-text.ts';

const statuses = ['ACCEPTED', 'SETTLED', 'REJECTED', 'RETURNED'] as const;

export interface BankReport {
  reference: string;
  status: (typeof statuses)[number];
  bankReference: string | null;
  /** A code, for REJECTED and RETURNED only. */
  reason: string | null;
  /** ISO 8601 in UTC. */
  at: string;
}

export type ParsedBankCallback =
  { ok: true; report: BankReport } | { ok: false; problem: 'not_an_object' | keyof BankReport };

/**
 * The body of a callback, after its signature was checked. Unknown fields are passed over, wrong
 * types are not; text beyond its bounds is dropped as in an answer.
 */
export function parseBankCallback(json: unknown): ParsedBankCallback {
  if (!isJsonObject(json)) return { ok: false, problem: 'not_an_object' };
  const reference = readReference(json['reference']);
  if (reference === undefined) return { ok: false, problem: 'reference' };
  const status = statuses.find((known) => known === json['status']);
  if (status === undefined) return { ok: false, problem: 'status' };
  if (!isTextOrAbsent(json['bankReference'])) return { ok: false, problem: 'bankReference' };
  if (!isTextOrAbsent(json['reason'])) return { ok: false, problem: 'reason' };
  const at = readInstant(json['at']);
  if (at === undefined) return { ok: false, problem: 'at' };
  const bankReference = readBankReference(json['bankReference']) ?? null;
  const hasReason = status === 'REJECTED' || status === 'RETURNED';
  const reason = hasReason ? readReason(json['reason']) : null;
  return { ok: true, report: { reference, status, bankReference, reason, at } };
}

function isTextOrAbsent(value: unknown): boolean {
  return value === undefined || value === null || typeof value === 'string';
}
