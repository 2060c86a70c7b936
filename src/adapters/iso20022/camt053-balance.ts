import { readCurrency, readDecimal, readDirection } from './camt053-values.ts';
import type { RawAmount } from './camt053-entry.ts';
import type { StatementCollector } from './statement-collector.ts';

/** Turns one Bal into a part, or into a problem. */
export function createBalanceReader(collector: StatementCollector) {
  const draft = {
    type: null as string | null,
    subType: null as string | null,
    amount: null as RawAmount | null,
    direction: null as string | null,
    date: null as string | null,
  };
  const fail = (element: string, found: unknown) =>
    collector.emitProblem({
      problem: found === null ? 'MISSING' : 'INVALID',
      element,
      lineNumber: null,
      entryNumber: null,
    });

  return {
    draft,

    close(): void {
      const { type, subType, date, amount: raw } = draft;
      const amount = readDecimal(raw?.text ?? '');
      const currency = readCurrency(raw?.currency ?? collector.header().currency ?? '');
      const direction = readDirection(draft.direction ?? '');
      if (type === null) return fail('Bal/Tp', type);
      if (amount === null || currency === null) return fail('Bal/Amt', raw);
      if (direction === null) return fail('Bal/CdtDbtInd', draft.direction);
      collector.emit({ kind: 'balance', type, subType, amount, currency, direction, date });
    },
  };
}
