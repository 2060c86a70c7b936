import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const FILE = join(import.meta.dirname, '../../docs/performance.json');

/** What a payout may cost. Nowhere else is one of these numbers written down. */
export interface PerformanceCounts {
  /** Of a payment that comes alone: exactly so much, but for the bytes of WAL. */
  readonly lone: {
    /** `request`, `requestToWallet`: the whole POST, with the look-up of its key. The others: without HTTP. */
    readonly statements: Readonly<
      Record<'request' | 'requestToWallet' | 'accept' | 'settle' | 'deliver', number>
    >;
    readonly commits: Readonly<Record<'accept' | 'settle' | 'deliver', number>>;
    /** Of a payment that the bank settles at once. */
    readonly historyEvents: number;
    readonly functionCalls: number;
    readonly rowsByIndex: number;
    readonly walBytesMax: number;
  };
  /** Of each of 40 payments that come at once: not more than that. */
  readonly load: Readonly<Record<LoadCount, number>>;
}

export type LoadCount =
  | 'statementsMax'
  | 'commitsMax'
  | 'functionCallsMax'
  | 'rowsByIndexMax'
  | 'rowsInSequenceMax'
  | 'walBytesMax';

export const readPerformanceCounts = (): PerformanceCounts =>
  JSON.parse(readFileSync(FILE, 'utf8')) as PerformanceCounts;

/** Set by `npm run performance-counts`: then tests write what they count, and compare nothing. */
export const isWritingCounts = process.env['WRITE_PERFORMANCE_COUNTS'] === '1';

/** Puts numbers into the file in the place of those of the same names. */
export function writePerformanceCounts(counts: {
  readonly lone?: Partial<PerformanceCounts['lone']>;
  readonly load?: PerformanceCounts['load'];
}): void {
  const { lone, load } = readPerformanceCounts();
  const written = { lone: { ...lone, ...counts.lone }, load: { ...load, ...counts.load } };
  writeFileSync(FILE, `${JSON.stringify(written, null, 2)}\n`);
}

const MARGIN = 1.1;

/** An upper bound: a tenth more than the highest count, in three digits. */
export const boundOf = (counts: readonly number[]): number =>
  Number((Math.max(...counts) * MARGIN).toPrecision(3));
