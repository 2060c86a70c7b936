import { move, type LedgerLine, type Money } from './movements.ts';

/** The account at the bank whose statements a connector reads: `http-bank` is `nostro:HTTP_BANK`. */
export function nostroOf(connector: string): `nostro:${string}` {
  return `nostro:${connector.toUpperCase().replace(/[^A-Z]/g, '_')}`;
}

/** A customer's money came in. */
export const creditLines = (connector: string, money: Money): readonly LedgerLine[] =>
  move(money, nostroOf(connector), 'available');

/** Money came in whose owner is not known. */
export const suspenseLines = (connector: string, money: Money): readonly LedgerLine[] =>
  move(money, nostroOf(connector), 'suspense');

/** Operators know whose it is. */
export const assignmentLines = (money: Money): readonly LedgerLine[] =>
  move(money, 'suspense', 'available');

/** It left the bank again without having been a customer's. */
export const closingLines = (connector: string, money: Money): readonly LedgerLine[] =>
  move(money, 'suspense', nostroOf(connector));

/**
 * The bank took a customer's credit back: out of what is available, and what that does not cover is owed
 * to us. `available` in minor units, not negative.
 */
export function creditReversalLines(
  connector: string,
  { currency, minor }: Money,
  available: bigint,
): readonly LedgerLine[] {
  const covered = available < minor ? available : minor;
  const nostro = nostroOf(connector);
  return [
    ...move({ currency, minor: covered }, 'available', nostro),
    ...move({ currency, minor: minor - covered }, 'receivable', nostro),
  ];
}
