import type { BankState } from './bank-state.ts';

/** What the bank did with one reference, for tests and operators who check that money moved once. */
export interface MoneyCount {
  readonly reference: string;
  /** NONE: refused, or never seen. */
  readonly status: string;
  readonly currency: string | null;
  readonly executed: { readonly count: number; readonly amount: string };
  readonly returned: { readonly count: number; readonly amount: string };
}

/** Counts the EXECUTED and RETURNED facts themselves, not the state that was built from them. */
export function countMoney(state: BankState, reference: string): MoneyCount {
  const transfer = state.transfer(reference);
  const count = (name: 'EXECUTED' | 'RETURNED') => {
    const amounts = state
      .factsOf(reference)
      .flatMap((one) => (one.fact === name && 'amount' in one ? [one.amount] : []));
    return { count: amounts.length, amount: addDecimals(amounts) };
  };
  return {
    reference,
    status: transfer?.status ?? 'NONE',
    currency: transfer?.received.currency ?? null,
    executed: count('EXECUTED'),
    returned: count('RETURNED'),
  };
}

/** Sums texts that all have the same number of decimals; "0" for none. */
function addDecimals(texts: readonly string[]): string {
  const first = texts[0];
  if (first === undefined) return '0';
  const decimals = first.includes('.') ? first.length - first.indexOf('.') - 1 : 0;
  const sum = texts.reduce((total, one) => total + BigInt(one.replace('.', '')), 0n);
  const digits = String(sum).padStart(decimals + 1, '0');
  return decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

/** The counts of every reference with this prefix, as one JSON document in pieces. */
export function* renderCounts(state: BankState, prefix: string): Generator<string> {
  yield '{"data":[';
  let separator = '';
  for (const reference of state.references()) {
    if (!reference.startsWith(prefix)) continue;
    yield separator + JSON.stringify(countMoney(state, reference));
    separator = ',';
  }
  yield ']}';
}
