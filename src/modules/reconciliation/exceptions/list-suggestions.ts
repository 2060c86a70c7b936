import {
  listOpenExceptions,
  type ExceptionRow,
} from '../../../db/reconciliation/exception-act-store.ts';
import { sumByRule } from '../../../db/reconciliation/rule-facts-store.ts';
import type { Database, SystemTransaction } from '../../../db/client/database.ts';
import { formatAmount } from '../../../domain/money/amount.ts';
import { dayLimitOf, sizeOf } from '../../../domain/reconciliation/exceptions/judge-rules.ts';
import type { Environment } from '../../../domain/scope.ts';
import { showException, type OpenException } from './show-exception.ts';
import { suggestAct, type Suggestion } from './suggest-act.ts';

/** Which suggestions are asked for. */
export interface SuggestionFilter {
  readonly environment: Environment;
  /** A kind of exceptions; null: all. */
  readonly kind: string | null;
  /** The name of a rule; null: all. */
  readonly rule: string | null;
}

export interface ListedSuggestion extends Suggestion {
  readonly shown: OpenException;
  /** Why it is not proposed; null where it can be. */
  readonly held: string | null;
}

/** Exceptions that are looked at, the oldest first. */
const LOOKED_AT_MAX = 5_000;
const PAGE = 200;
const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * What the rules suggest about open exceptions, the oldest first, at most `limit` that can be proposed. Nothing is written.
 * What would exceed the limit of a rule for its day is held.
 */
export async function listSuggestions(
  db: Database,
  filter: SuggestionFilter,
  { now, limit }: { readonly now: Date; readonly limit: number },
): Promise<readonly ListedSuggestion[]> {
  const { environment, kind } = filter;
  const since = new Date(Math.floor(now.getTime() / DAY_MS) * DAY_MS);
  const moved = new Map<string, bigint>();
  for (const sum of await db.system((tx) => sumByRule(tx, environment, { since, now }))) {
    moved.set(`${sum.rule} ${sum.currency}`, sum.minor);
  }
  const found: ListedSuggestion[] = [];
  let after: ExceptionRow | null = null;
  for (let looked = 0; looked < LOOKED_AT_MAX; looked += PAGE) {
    const asked = { environment, exception: kind, after };
    const page: ExceptionRow[] = await db.system((tx) => listOpenExceptions(tx, asked, PAGE));
    for (const suggestion of await db.system((tx) => suggestEach(tx, page, filter.rule))) {
      found.push({ ...suggestion, held: heldBy(suggestion, moved) });
      if (found.filter(({ held }) => held === null).length >= limit) return found;
    }
    after = page.at(-1) ?? null;
    if (page.length < PAGE) break;
  }
  return found;
}

async function suggestEach(
  tx: SystemTransaction,
  rows: readonly ExceptionRow[],
  rule: string | null,
): Promise<readonly Omit<ListedSuggestion, 'held'>[]> {
  const found: Omit<ListedSuggestion, 'held'>[] = [];
  for (const row of rows) {
    const shown = await showException(tx, row);
    const suggestion = await suggestAct(tx, shown);
    if (suggestion === null || (rule !== null && suggestion.rule.name !== rule)) continue;
    found.push({ ...suggestion, shown });
  }
  return found;
}

/** Counts it against the limit of its day, unless it exceeds that. */
function heldBy(
  { rule, books }: Omit<ListedSuggestion, 'held'>,
  moved: Map<string, bigint>,
): string | null {
  if (books === null) return null;
  const { currency } = books;
  const key = `${rule.name} ${currency}`;
  const most = dayLimitOf(rule, currency);
  const sum = (moved.get(key) ?? 0n) + sizeOf(books);
  if (most !== null && sum > most) {
    return `over the limit of the rule for a day, ${formatAmount(most, currency)} ${currency}`;
  }
  moved.set(key, sum);
  return null;
}
