import { drawFrom } from '../../payments/money-simulation/draw.ts';
import { statementChunks, type EntryDraft, type StatementDraft } from '../statement-xml.ts';

/** The bank's reports of one day, in the order in which it gives them out. DOLLARS: the statement of its account in USD. */
const REPORTS_OF_DAY = ['MORNING', 'AFTERNOON', 'ADVICE', 'DOLLARS', 'DAY'] as const;
export type ReportOfDay = (typeof REPORTS_OF_DAY)[number];

const KINDS: Readonly<Record<ReportOfDay, StatementDraft['report']>> = {
  MORNING: 'INTRADAY',
  AFTERNOON: 'INTRADAY',
  ADVICE: 'ADVICE',
  DOLLARS: 'DAY',
  DAY: 'DAY',
};

/** Day 0 is before the others: payments that it shows are final when these begin. */
export const DAYS = [0, 1, 2, 3] as const;
const FIRST_DAY_MS = Date.parse('2026-09-28T00:00:00Z');
const DAY_MS = 86_400_000;

/** A moment of a day, as the bank writes it. */
export const momentOf = (day: number, hour: number): string =>
  new Date(FIRST_DAY_MS + day * DAY_MS + hour * 3_600_000).toISOString();

/** A line of a report. Its place is known once the report is closed. */
export interface ShownLine {
  readonly reportId: string;
  line: number;
  entry: number;
}

export const keyOf = ({ reportId, line }: ShownLine): string => `${reportId}/${String(line)}`;

export interface PaperReport {
  readonly id: string;
  readonly day: number;
  readonly report: StatementDraft['report'];
  readonly currency: 'EUR' | 'USD';
  readonly entries: { readonly draft: EntryDraft; readonly lines: readonly ShownLine[] }[];
  /** What the bank claims in place of the right sum, minor units more. */
  readonly closingOff: bigint;
  /** How many numbers the bank leaves out before it. */
  readonly gap: number;
  /** The bank gives out a broken file first. */
  readonly isBroken: boolean;
  /** The bank gives it out when it is asked. */
  readonly isAskedFor: boolean;
}

export const minorOf = (amount: string): bigint => BigInt(amount.replace('.', ''));
export const textOf = (minor: bigint): string => {
  const digits = minor.toString().replace('-', '').padStart(3, '0');
  return `${minor < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
};

const movedBy = ({ amount, direction }: EntryDraft): bigint =>
  direction === 'CRDT' ? minorOf(amount) : -minorOf(amount);

const GIVEN_OUT = { isBroken: false, isAskedFor: false };

export type LinesBank = ReturnType<typeof createLinesBank>;

/**
 * A bank on paper with books of its own: what it moved, and the reports that it gives out about it. `openings`: what its
 * accounts hold at first, minor units.
 */
export function createLinesBank(seed: number, openings: Readonly<Record<'EUR' | 'USD', bigint>>) {
  const reports = new Map<string, PaperReport>();
  const held = { ...openings };
  let lines = 0;

  function reportOf(day: number, of: ReportOfDay): PaperReport {
    const id = `DAY-${String(day)}-${of}`;
    const known = reports.get(id);
    if (known !== undefined) return known;
    const currency = of === 'DOLLARS' ? 'USD' : 'EUR';
    return open({ id, day, report: KINDS[of], currency });
  }

  function open(
    report: Pick<PaperReport, 'id' | 'day' | 'report' | 'currency'> & Partial<PaperReport>,
  ): PaperReport {
    const made = { entries: [], closingOff: 0n, gap: 0, ...GIVEN_OUT, ...report };
    reports.set(made.id, made);
    return made;
  }

  /** Puts an entry on a report; answers its lines. */
  function showOn(report: PaperReport, draft: EntryDraft): readonly ShownLine[] {
    const shown = (draft.batch ?? [draft]).map(() => ({ reportId: report.id, line: 0, entry: 0 }));
    report.entries.push({ draft, lines: shown });
    lines += shown.length;
    return shown;
  }

  for (const day of DAYS) for (const of of REPORTS_OF_DAY) reportOf(day, of);

  return {
    open,
    showOn,
    /** Money moves at the bank, whatever its reports say of it. */
    book(draft: EntryDraft, currency: 'EUR' | 'USD' = 'EUR'): void {
      held[currency] += movedBy(draft);
    },
    show(day: number, of: ReportOfDay, draft: EntryDraft): ShownLine {
      const [first] = showOn(reportOf(day, of), draft);
      if (first === undefined) throw new Error('an entry without a line');
      return first;
    },
    idOf: (day: number, of: ReportOfDay): string => reportOf(day, of).id,
    /** What the bank's accounts hold when all is done, minor units. */
    held: () => ({ ...held }),
    lines: (): number => lines,
    /**
     * Puts the entries of each report in an order of their own and answers the reports in the order in which the bank
     * gives them out: those that are opened beside the usual ones before the statement of their day, or behind it where
     * they are of whole days themselves, or broken.
     */
    close(): readonly PaperReport[] {
      const all = [...reports.values()];
      for (const [index, { entries }] of all.entries()) {
        const draw = drawFrom(seed, 7, index);
        for (let last = entries.length - 1; last > 0; last -= 1) {
          const other = draw.int(0, last);
          [entries[last], entries[other]] = [entries[other]!, entries[last]!];
        }
        let line = 0;
        for (const [place, entry] of entries.entries()) {
          for (const shown of entry.lines) {
            line += 1;
            shown.line = line;
            shown.entry = place + 1;
          }
        }
      }
      const isUsual = ({ id }: PaperReport) => id.startsWith('DAY-');
      const isBehind = ({ isBroken, report }: PaperReport) => isBroken || report === 'DAY';
      const isOfDay = ({ id }: PaperReport) => id.endsWith('-DAY');
      return DAYS.flatMap((day) => {
        const ofDay = all.filter((one) => one.day === day && !one.isAskedFor);
        const extra = ofDay.filter((one) => !isUsual(one));
        return [
          ...ofDay.filter((one) => isUsual(one) && !isOfDay(one)),
          ...extra.filter((one) => !isBehind(one)),
          ...ofDay.filter((one) => isUsual(one) && isOfDay(one)),
          ...extra.filter((one) => isBehind(one)),
        ];
      });
    },
  };
}

/** The file of a report. */
export function* renderReport({
  id,
  report,
  currency,
  entries,
  closingOff,
}: PaperReport): Generator<Buffer> {
  const opening = 1_000_000_000_000n;
  const moved =
    report === 'DAY' ? entries.reduce((sum, { draft }) => sum + movedBy(draft), closingOff) : 0n;
  const draft: StatementDraft = {
    ...{ id, currency, opening: textOf(opening), closing: textOf(opening + moved) },
    ...(report === undefined ? {} : { report }),
    entries: entries.map((entry) => entry.draft),
  };
  for (const chunk of statementChunks(draft)) yield Buffer.from(chunk);
}
