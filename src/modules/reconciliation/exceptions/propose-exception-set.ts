import type { Database } from '../../../db/client/database.ts';
import { formatAmount } from '../../../domain/money/amount.ts';
import { PLATFORM_ACCOUNT } from '../../../domain/platform-account.ts';
import type { Environment } from '../../../domain/scope.ts';
import { ApprovalRefused } from '../../approvals/approval-refused.ts';
import {
  proposeApproval,
  type ApprovalDeps,
  type OperatorAct,
} from '../../approvals/propose-approval.ts';
import { writeSetItem } from './exception-set.ts';
import { listSuggestions, type ListedSuggestion } from './list-suggestions.ts';

/** Exceptions that one approval ends: the operator who decides reads each. */
const ITEMS_MAX = 200;

/** A set never changes: what of it changed since is left out when it takes effect. */
const ONLY_VERSION = 1;

export interface WantedSet {
  readonly environment: Environment;
  readonly kind: string;
  /** Null: whatever rule fits. */
  readonly rule: string | null;
}

/**
 * Proposes what the rules suggest about open exceptions of a kind, the oldest first, as one approval: the list of exceptions,
 * with the version of each payment, what each act does, and the sum of each currency. Null where a proposal about the same
 * kind waits. Throws ApprovalRefused where no rule suggests anything.
 */
export async function proposeExceptionSet(
  deps: ApprovalDeps & { readonly db: Database },
  { environment, kind, rule }: WantedSet,
  by: OperatorAct,
): Promise<string | null> {
  const now = deps.clock.now();
  const listed = await listSuggestions(
    deps.db,
    { environment, kind, rule },
    { now, limit: ITEMS_MAX },
  );
  const chosen = listed.filter(({ held }) => held === null);
  const [held] = listed.flatMap((one) => one.held ?? []);
  if (chosen.length === 0) {
    const why = held === undefined ? '' : ` What they suggest is ${held}.`;
    throw new ApprovalRefused(
      `No rule suggests an act about an open ${kind} in ${environment}.${why}`,
    );
  }
  const content = {
    ...{ kind, ...(rule === null ? {} : { rule }), exceptions: chosen.length },
    ...{ totals: totalsOf(chosen), leftOut: listed.length - chosen.length },
    items: chosen.map(({ shown: { id }, version, content: own }) =>
      writeSetItem({ exceptionId: id, version, content: own }),
    ),
  };
  const about = { subjectId: `${environment}/${kind}`, subjectVersion: ONLY_VERSION, content };
  const scope = { customerId: PLATFORM_ACCOUNT, environment };
  return proposeApproval(deps, scope, { action: 'EXCEPTION_SET', ...about }, by);
}

/** As `-12.50 EUR`, what the acts book in each currency: what came in less what left. */
function totalsOf(chosen: readonly ListedSuggestion[]): readonly string[] {
  const sums = new Map<string, bigint>();
  for (const { books } of chosen) {
    if (books === null) continue;
    const { currency, minor } = books;
    sums.set(currency, (sums.get(currency) ?? 0n) + minor);
  }
  return [...sums].map(([currency, sum]) => `${formatAmount(sum, currency)} ${currency}`);
}
