import { TRANSFER_STATUSES, type TransferStatus } from '../transfer-report.ts';
import {
  isJsonObject,
  readBankReference,
  readDecimal,
  readInstant,
  readReason,
  readReference,
} from './bounded-fields.ts';

/** A callback of the bank, read. It is stored as it is; what it means is judged with the payment locked. */
interface BankCallback {
  readonly reference: string;
  readonly status: TransferStatus;
  readonly bankReference: string | null;
  /** A code, for REJECTED and RETURNED only. */
  readonly reason: string | null;
  /** For RETURNED: what came back, decimal text in major units of the transfer's currency. */
  readonly amount: string | null;
  /** When it happened. */
  readonly at: Date;
}

type ParsedBankCallback =
  | { readonly ok: true; readonly callback: BankCallback }
  | { readonly ok: false; readonly problem: 'not_an_object' | keyof BankCallback };

/**
 * The body of a callback, after its signature was checked. Unknown fields are passed over, wrong
 * types are not; text beyond its bounds is dropped as in an answer.
 */
export function parseBankCallback(json: unknown): ParsedBankCallback {
  if (!isJsonObject(json)) return { ok: false, problem: 'not_an_object' };
  const reference = readReference(json['reference']);
  if (reference === undefined) return { ok: false, problem: 'reference' };
  const status = TRANSFER_STATUSES.find((known) => known === json['status']);
  if (status === undefined) return { ok: false, problem: 'status' };
  if (!isTextOrAbsent(json['bankReference'])) return { ok: false, problem: 'bankReference' };
  if (!isTextOrAbsent(json['reason'])) return { ok: false, problem: 'reason' };
  const isReturn = status === 'RETURNED';
  const amount = isReturn ? readDecimal(json['amount']) : null;
  if (amount === undefined) return { ok: false, problem: 'amount' };
  const at = readInstant(json['at']);
  if (at === undefined) return { ok: false, problem: 'at' };
  const bankReference = readBankReference(json['bankReference']) ?? null;
  const reason = status === 'REJECTED' || isReturn ? readReason(json['reason']) : null;
  const callback = { reference, status, bankReference, reason, amount, at: new Date(at) };
  return { ok: true, callback };
}

function isTextOrAbsent(value: unknown): boolean {
  return value === undefined || value === null || typeof value === 'string';
}
