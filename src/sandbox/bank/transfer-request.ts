import { createHash } from 'node:crypto';
import { parseAmount } from '../../domain/money/amount.ts';
import { isCurrency } from '../../domain/money/currencies.ts';
import { BadInput } from '../sandbox-server.ts';

/** What the bank keeps of a PUT's body. The creditor is checked and then only hashed. */
export interface TransferRequest {
  readonly amountMinor: bigint;
  readonly currency: string;
  readonly rail: string;
  /** Whose transfer it is, where that was told. */
  readonly onBehalfOf: string | null;
  readonly bodyHash: string;
}

const FIELDS = ['amount', 'currency', 'rail', 'creditor', 'remittance', 'onBehalfOf'];

/** An id of a customer: Max35Text of ISO 20022's ultimate debtor. */
export const ORDERED_BY = /^[A-Za-z0-9_-]{1,35}$/;

/** Our reference travels as the EndToEndId of ISO 20022: Max35Text, here without lower case. */
export function isReference(text: string): boolean {
  return /^[A-Z0-9]{1,35}$/.test(text);
}

/** Reads the body of `PUT /transfers/{reference}`. Throws BadInput that names the field. */
export function readTransferRequest(body: unknown): TransferRequest {
  const fields = readObject(body, 'body');
  const unknown = Object.keys(fields).find((name) => !FIELDS.includes(name));
  if (unknown !== undefined) throw new BadInput(400, unknown.slice(0, 40), 'not a known field');

  const currency = readText(fields.currency, 'currency', /^[A-Z]{3}$/);
  if (!isCurrency(currency)) throw new BadInput(422, 'currency', 'not an ISO 4217 currency');
  const amount = parseAmount(readText(fields.amount, 'amount', /^[0-9.]{1,40}$/), currency);
  if (!amount.ok) throw new BadInput(422, 'amount', `not acceptable: ${amount.problem}`);
  const rail = readText(fields.rail, 'rail', /^[A-Z0-9_]{2,20}$/);

  const creditor = readObject(fields.creditor, 'creditor');
  readText(creditor.name, 'creditor.name', /^.{1,140}$/su);
  readText(creditor.country, 'creditor.country', /^[A-Z]{2}$/);
  const account = readObject(creditor.account, 'creditor.account');
  if (Object.keys(account).length === 0) {
    throw new BadInput(400, 'creditor.account', 'has no fields');
  }
  if (fields.remittance !== undefined && fields.remittance !== null) {
    readText(fields.remittance, 'remittance', /^.{0,140}$/su);
  }
  const { onBehalfOf: told } = fields;
  const onBehalfOf = told === undefined ? null : readText(told, 'onBehalfOf', ORDERED_BY);
  return { amountMinor: amount.minor, currency, rail, onBehalfOf, bodyHash: hashOf(fields) };
}

function readObject(value: unknown, field: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new BadInput(400, field, 'must be an object');
  }
  return value as Record<string, unknown>;
}

function readText(value: unknown, field: string, pattern: RegExp): string {
  if (typeof value !== 'string' || !pattern.test(value)) {
    throw new BadInput(400, field, `must be a text like ${pattern.source}`);
  }
  return value;
}

/** The same whatever order the fields came in. */
function hashOf(body: object): string {
  const sorted = JSON.stringify(body, (_name, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );
  return createHash('sha256').update(sorted).digest('hex');
}
