import type { StatementSummary } from '../../domain/payments/connector.ts';
import { isJsonObject, readInstant } from '../../domain/payments/bank-messages/bounded-fields.ts';

// No "/", "%" or leading ".": an id becomes a part of a path.
const ID_PATTERN = /^[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$/;
const ACCOUNT_PATTERN = /^[\x20-\x7e]{1,64}$/;

export function isStatementId(value: unknown): value is string {
  return typeof value === 'string' && ID_PATTERN.test(value);
}

/** The bank's list, ascending, without what was asked not to be in it; null where it is none. */
export function readStatementList(json: unknown, after: bigint): StatementSummary[] | null {
  const data = isJsonObject(json) ? json['data'] : undefined;
  if (!Array.isArray(data)) return null;
  const summaries = data.map(readSummary);
  if (summaries.includes(null)) return null;
  return summaries
    .filter((summary) => summary !== null)
    .filter((summary) => summary.sequence > after)
    .sort((left, right) => (left.sequence < right.sequence ? -1 : 1));
}

function readSummary(value: unknown): StatementSummary | null {
  if (!isJsonObject(value)) return null;
  const { id, account } = value;
  const sequence = readSequence(value['sequence']);
  const from = readInstant(value['from']);
  const to = readInstant(value['to']);
  if (!isStatementId(id) || sequence === null || from === undefined || to === undefined)
    return null;
  if (typeof account !== 'string' || !ACCOUNT_PATTERN.test(account)) return null;
  return { id, sequence, account, from, to };
}

/** A whole number, also as text: a bank that counts far does not trust JSON's numbers. */
function readSequence(value: unknown): bigint | null {
  if (typeof value === 'number') {
    return Number.isSafeInteger(value) && value >= 0 ? BigInt(value) : null;
  }
  return typeof value === 'string' && /^[0-9]{1,18}$/.test(value) ? BigInt(value) : null;
}
