import type {
  BookingReference,
  BookingReferenceKind,
  Report,
} from '../../domain/reconciliation/booking-identity.ts';
import type { KnownBooking } from '../../domain/reconciliation/tie-bookings.ts';
import type { ReportKind } from '../../domain/reconciliation/statement-types.ts';
import type { SystemTransaction } from '../client/database.ts';
import type { StatementOrigin } from '../reconciliation/statement-store.ts';

/** The bits of `incoming_credits.reference_kinds`. */
const KIND_BITS: Readonly<Partial<Record<BookingReferenceKind, number>>> = {
  AcctSvcrRef: 1,
  TxId: 2,
  EntryAcctSvcrRef: 4,
};
const ALL_KINDS = Array.from({ length: 8 }, (_none, kinds) => kinds);

/** More credits of one amount within 72 hours, without a reference to tell them, are compared by operators. */
const ALIKE_MAX = 1_000;

export const kindsOf = (references: readonly BookingReference[]): number =>
  references.reduce((bits, { kind }) => bits | (KIND_BITS[kind] ?? 0), 0);

/** `<kind>:<hash>`, as lines keep them. */
export function readBookingReference(text: string): BookingReference {
  const at = text.indexOf(':');
  return { kind: text.slice(0, at) as BookingReferenceKind, value: text.slice(at + 1) };
}

/** What a line may be a booking of. */
interface BookingWanted {
  readonly references: readonly BookingReference[];
  readonly currency: string;
  /** Minor units; null where it is no amount of ours: then only references are looked for. */
  readonly minor: bigint | null;
  readonly bookedAt: Date | null;
  /** Keys that a credit of this very line may be stored under. */
  readonly ownKeys: readonly Buffer[];
}

interface KnownRow extends Omit<KnownBooking, 'references' | 'report' | 'direction'> {
  readonly statementId: bigint;
  readonly line: number;
  readonly references: readonly string[];
  readonly reportKind: ReportKind;
  readonly from: Date | null;
  readonly to: Date | null;
}

/** A known booking, and the line that showed it first. */
export interface KnownCredit extends KnownBooking {
  readonly statementId: bigint;
  readonly line: number;
}

/** A return that names a payment, which another report of the bank has shown. */
export interface KnownReturn {
  /** The line that names the payment. */
  readonly place: string;
  /** Of one reference of its booking. */
  readonly key: string;
  readonly account: string;
  readonly bookedAt: Date | null;
  readonly report: Report;
  /** Its money is in the books: no act has to book it. */
  readonly isBooked: boolean;
}

interface KnownReturnRow extends Pick<
  KnownRow,
  'references' | 'account' | 'bookedAt' | 'reportKind' | 'from' | 'to'
> {
  readonly id: null;
  readonly statementId: bigint;
  readonly line: number;
  readonly isShown: boolean;
}

/**
 * Credits of a bank that lines of a statement may show again: with a reference of theirs, or of their amount within 36
 * hours and without a reference that would tell them apart; the oldest first. `areCut`: there are more of those than
 * are compared. `returns`: those that name a payment and have a reference of a line. One statement for all lines. The
 * caller holds `lockCrediting`.
 */
export async function findKnownCredits(
  tx: SystemTransaction,
  { environment, connector }: StatementOrigin,
  statementId: bigint,
  wanted: readonly BookingWanted[],
): Promise<{
  readonly known: readonly KnownCredit[];
  readonly areCut: boolean;
  readonly returns: readonly KnownReturn[];
}> {
  const alike = intoGroups(wanted);
  const rows = await tx.query<(KnownRow | KnownReturnRow) & { readonly areCut: boolean }>(
    `WITH groups AS (
       SELECT * FROM unnest(:currencies::text[], :minors::bigint[], :kinds::int[], :froms::timestamptz[],
         :tos::timestamptz[]) AS g (currency, minor, kinds, from_at, to_at)
     ), alike AS (
       SELECT c.id, count(*) OVER (PARTITION BY g.currency, g.minor, g.kinds) > :most AS is_cut
       FROM groups g CROSS JOIN LATERAL (
         SELECT c.id FROM incoming_credits c
         WHERE c.environment = :environment AND c.connector = :connector AND c.currency = g.currency
           AND c.minor = g.minor AND c.reference_kinds = g.kinds AND c.statement_id <> :statementId
           AND (g.from_at IS NULL OR c.booked_at IS NULL OR c.booked_at BETWEEN g.from_at AND g.to_at)
         LIMIT :most + 1) c
     ), found AS (
       SELECT id FROM alike
       UNION SELECT r.credit_id FROM booking_references r
         WHERE r.environment = :environment AND r.connector = :connector AND r.key = ANY (:keys)
       UNION SELECT c.id FROM incoming_credits c
         WHERE c.environment = :environment AND c.connector = :connector
           AND c.booking_key = ANY (:ownKeys) AND c.statement_id = :statementId
     )
     SELECT c.seq, c.id, c.statement_id AS "statementId", c.line, trim_scale(c.amount)::text AS amount, c.currency,
       c.booked_at AS "bookedAt", l.creditor_references AS "creditorReferences", s.account,
       s.report AS "reportKind", s.from_at AS "from", s.to_at AS "to",
       ARRAY(SELECT r.kind || ':' || encode(r.key, 'hex') FROM booking_references r
         WHERE r.credit_id = c.id ORDER BY r.key) AS references,
       c.statement_id = :statementId OR :statementId = ANY (ARRAY(
         SELECT o.statement_id FROM statement_lines o WHERE o.credit_id = c.id))
       OR EXISTS (
         SELECT FROM incoming_credits d
         JOIN statement_lines o ON o.statement_id = d.statement_id AND o.line = d.line
         WHERE d.resembles_credit_id = c.id AND d.statement_id = :statementId
           AND o.creditor_references @> l.creditor_references
           AND o.creditor_references <@ l.creditor_references) AS "isShown",
       coalesce((SELECT bool_or(is_cut) FROM alike), false) AS "areCut"
     FROM found JOIN incoming_credits c ON c.id = found.id
       JOIN statement_lines l ON l.statement_id = c.statement_id AND l.line = c.line
       JOIN statements s ON s.id = c.statement_id
     UNION ALL
     SELECT NULL, NULL, b.statement_id, b.line, NULL, NULL, l.booked_at, NULL, s.account, s.report, s.from_at, s.to_at,
       ARRAY[encode(b.key, 'hex')],
       l.outcome = 'RETURN' OR l.exception IN ('LATE_RETURN', 'AMOUNT_MISMATCH'), NULL
     FROM booked_returns b JOIN statement_lines l USING (statement_id, line)
       JOIN statements s ON s.id = b.statement_id
     WHERE b.environment = :environment AND b.connector = :connector AND b.key = ANY (:strongKeys)
       AND b.statement_id <> :statementId AND NOT EXISTS (SELECT FROM statement_lines o
         WHERE o.payment_id = b.payment_id AND o.direction = 'CRDT' AND o.statement_id = :statementId
           AND b.key IN (SELECT booking_keys(o, true)))
       -- Lines of this statement that were looked at before have shown as many, the oldest first.
       AND (SELECT count(*) FROM booked_returns e WHERE e.environment = b.environment AND e.connector = b.connector
           AND e.key = b.key AND e.statement_id <> :statementId
           AND (e.statement_id, e.line) < (b.statement_id, b.line))
         >= (SELECT count(*) FROM statement_lines o WHERE o.statement_id = :statementId AND o.booking_key = b.key
           AND o.exception = 'DUPLICATE_AT_BANK' AND o.payment_id IS NULL AND o.credit_id IS NULL
           AND o.processed_at IS NOT NULL)
     ORDER BY seq`,
    {
      ...{ environment, connector, statementId, most: ALIKE_MAX },
      currencies: alike.map(({ currency }) => currency),
      minors: alike.map(({ minor }) => minor),
      kinds: alike.map(({ kinds }) => kinds),
      froms: alike.map(({ from }) => from),
      tos: alike.map(({ to }) => to),
      keys: wanted.flatMap(({ references }) => references.map(keyOf)),
      strongKeys: wanted.flatMap(({ references }) => references.filter(isProof).map(keyOf)),
      ownKeys: wanted.flatMap(({ ownKeys }) => ownKeys),
    },
  );
  const known: KnownCredit[] = [];
  const returns: KnownReturn[] = [];
  for (const { areCut: _cut, ...row } of rows) {
    if (row.id === null) {
      const { account, bookedAt, isShown: isBooked, reportKind: kind, from, to } = row;
      const key = Buffer.from(row.references[0] ?? '', 'hex').toString('base64url');
      const place = `${String(row.statementId)}/${String(row.line)}`;
      returns.push({ place, key, account, bookedAt, report: { kind, from, to }, isBooked });
      continue;
    }
    const { reportKind, from, to, references, ...credit } = row;
    known.push({
      ...credit,
      direction: 'CRDT',
      report: { kind: reportKind, from, to },
      references: references.map(readStoredReference),
    });
  }
  return { known, areCut: rows[0]?.areCut ?? false, returns };
}

/** Transactions of one entry share its reference, which proves nothing. */
export const isProof = ({ kind }: BookingReference): boolean => kind !== 'EntryAcctSvcrRef';

interface AlikeGroup {
  readonly currency: string;
  readonly minor: bigint;
  readonly kinds: number;
  from: Date | null;
  to: Date | null;
}

const DAYS_MS = 36 * 3_600_000;

/** One group for lines of one amount and one set of kinds that they have no reference in common with. */
function intoGroups(wanted: readonly BookingWanted[]): AlikeGroup[] {
  const groups = new Map<string, AlikeGroup>();
  for (const { references, currency, minor, bookedAt } of wanted) {
    if (minor === null) continue;
    const mine = kindsOf(references);
    const from = bookedAt && new Date(bookedAt.getTime() - DAYS_MS);
    const to = bookedAt && new Date(bookedAt.getTime() + DAYS_MS);
    for (const kinds of ALL_KINDS.filter((theirs) => (theirs & mine) === 0)) {
      const place = `${currency} ${String(minor)} ${String(kinds)}`;
      const group = groups.get(place);
      if (group === undefined) groups.set(place, { currency, minor, kinds, from, to });
      else {
        group.from = group.from && from && (group.from < from ? group.from : from);
        group.to = group.to && to && (group.to > to ? group.to : to);
      }
    }
  }
  return [...groups.values()];
}

const keyOf = ({ value }: BookingReference): Buffer => Buffer.from(value, 'base64url');

function readStoredReference(text: string): BookingReference {
  const { kind, value } = readBookingReference(text);
  return { kind, value: Buffer.from(value, 'hex').toString('base64url') };
}

/** A credit, and a line that shows it. */
export interface ShownCredit {
  readonly creditId: string;
  readonly references: readonly BookingReference[];
}

/** Keeps the references of lines with the credits that they show. Those that are kept already stay. */
export async function keepBookingReferences(
  tx: SystemTransaction,
  { environment, connector }: StatementOrigin,
  shown: readonly ShownCredit[],
): Promise<void> {
  const kept = shown.flatMap(({ creditId, references }) =>
    references.map((reference) => ({ creditId, ...reference, key: keyOf(reference) })),
  );
  if (kept.length === 0) return;
  await tx.query(
    `INSERT INTO booking_references (credit_id, environment, connector, key, kind)
     SELECT DISTINCT ON (credit_id, key) credit_id, :environment, :connector, key, kind
     FROM unnest(:creditIds::text[], :keys::bytea[], :kinds::text[]) AS k (credit_id, key, kind)
     ORDER BY credit_id, key, kind ON CONFLICT DO NOTHING`,
    {
      ...{ environment, connector },
      creditIds: kept.map(({ creditId }) => creditId),
      keys: kept.map(({ key }) => key),
      kinds: kept.map(({ kind }) => kind),
    },
  );
}
