import {
  countOverdue,
  noteOverdue,
  OVERDUE_MAX,
  type LateCorridor,
  type OverdueFacts,
} from '../../../db/customers/overdue-store.ts';
import type { Database } from '../../../db/client/database.ts';
import type { Clock } from '../../../domain/clock.ts';
import {
  OPERATOR_RIGHTS,
  type OperatorRight,
} from '../../../domain/customers/access/operator-rights.ts';
import {
  OVERDUE,
  OVERDUE_KINDS,
  UNPROMISED_MS,
  type OverdueKind,
} from '../../../domain/notices/overdue.ts';
import { heldDetailsOf } from '../../../domain/notices/state-notices.ts';
import type { CorridorTable } from '../../../domain/payments/corridors/corridor-table.ts';
import { lateSince } from '../../../domain/payments/corridors/late-since.ts';
import type { KeyedHashes } from '../../../vault/keyed-hash.ts';
import type { Vault } from '../../../vault/vault.ts';
import type { OverdueItem } from './texts/operator-texts.ts';
import { tellOperators } from './tell-operators.ts';

/** One value of the metric: how many of a kind wait too long now, and for how long the longest of them has waited. */
export interface OverdueMetric {
  readonly kind: OverdueKind;
  readonly count: number;
  /** Whole seconds. */
  readonly oldestSeconds: number;
}

interface OverdueDeps {
  readonly db: Pick<Database, 'system'>;
  readonly vault: KeyedHashes & Pick<Vault, 'seal' | 'sealJson' | 'open'>;
  readonly clock: Clock;
  readonly corridors: CorridorTable;
  /** Where browsers reach the console. */
  readonly opsUrl: string;
  readonly measure: (metric: OverdueMetric) => void;
}

/**
 * Tells operators of what has waited too long in live: of each thing at once, and again on each day (UTC) on which it
 * still waits. A run writes at most one mail to each operator, with a line for each kind. A second run of the same day
 * tells nothing of what the first has told.
 */
export async function tellOfOverdue(deps: OverdueDeps): Promise<void> {
  const now = deps.clock.now();
  const shared = sharedFacts(deps.corridors, now);
  const rights = new Set(OVERDUE_KINDS.map((kind): OperatorRight => OVERDUE[kind].right));
  for (const right of rights) {
    const kinds = OVERDUE_KINDS.filter((kind) => OVERDUE[kind].right === right);
    await tellRight(deps, { right, kinds, now, shared });
  }
}

type SharedFacts = Omit<OverdueFacts, 'before'>;

async function tellRight(
  deps: OverdueDeps,
  given: {
    readonly right: OperatorRight;
    readonly kinds: readonly OverdueKind[];
    readonly now: Date;
    readonly shared: SharedFacts;
  },
): Promise<void> {
  const { right, kinds, now, shared } = given;
  const metrics: OverdueMetric[] = [];
  await deps.db.system(async (tx) => {
    const items: (OverdueItem & { readonly path: string })[] = [];
    for (const kind of kinds) {
      const { afterMs, what, path } = OVERDUE[kind];
      const facts = { ...shared, before: new Date(now.getTime() - afterMs) };
      const { count, oldest } = await countOverdue(tx, kind, facts);
      const oldestMs = now.getTime() - (oldest ?? now).getTime();
      metrics.push({ kind, count, oldestSeconds: Math.floor(oldestMs / 1000) });
      if (count === 0) continue;
      const told = await noteOverdue(tx, kind, facts);
      const isMore = count === OVERDUE_MAX;
      if (told.count > 0) items.push({ what, count, isMore, examples: told.examples, path });
    }
    const [first] = items;
    if (first === undefined) return;
    const url = `${deps.opsUrl}${items.length === 1 ? first.path : '/'}`;
    const to = { roles: OPERATOR_RIGHTS[right].roles, but: null };
    await tellOperators(deps, tx, to, { kind: 'OPS_OVERDUE', facts: { items, url } });
  });
  for (const metric of metrics) deps.measure(metric);
}

function sharedFacts(corridors: CorridorTable, now: Date): SharedFacts {
  return {
    now,
    corridors: lateCorridors(corridors, new Date(now.getTime() - OVERDUE.PAYMENT_LATE.afterMs)),
    otherwise: new Date(now.getTime() - UNPROMISED_MS),
    byRail: heldDetailsOf('PAYMENT_HELD_BY_RAIL'),
    byOthers: heldDetailsOf('PAYMENT_HELD'),
  };
}

/** Many corridors have the same terms: each terms are computed once. */
function lateCorridors({ all }: CorridorTable, at: Date): LateCorridor[] {
  const known = new Map<string, Date | null>();
  return all.flatMap(({ country, currency, rail, ...terms }) => {
    const { cutOff, holidays, settlementDays, sources } = terms;
    const name = JSON.stringify([
      cutOff,
      holidays,
      settlementDays,
      sources.cutOff,
      sources.holidays,
    ]);
    if (!known.has(name)) {
      known.set(name, lateSince({ cutOff, holidays, settlementDays, sources }, at));
    }
    const late = known.get(name) ?? null;
    return late === null ? [] : [{ country, currency, rail, late }];
  });
}
