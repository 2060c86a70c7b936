import type { Surface } from '../../../../src/domain/customers/access/rights.ts';

/** What the sender of a flood is told. */
export interface FloodOrder {
  readonly surface: Surface;
  readonly host: string;
  readonly port: number;
  /** Requests for codes, or logins by passkeys that nobody has. */
  readonly of: 'codes' | 'passkeys';
  readonly perSecond: number;
  /** The first number of the IPv4 addresses that it comes from. */
  readonly network: number;
  /** How many /24 it comes from, in turns. */
  readonly networks: number;
  /** What every second request asks for, in turns; the others each ask for an address that nobody has. */
  readonly addresses: readonly string[];
}

/** What it tells at its end. */
export interface FloodReport {
  readonly sent: number;
  /** Due, and not sent, because too many had no answer. */
  readonly unsent: number;
  readonly perSecond: number;
  /** Counts by status; 0 where no answer came. */
  readonly answers: Readonly<Record<string, number>>;
  /** From when a request was due to the end of its answer: the median, and what 1 % take longer than. */
  readonly medianMs: number;
  readonly slowMs: number;
  /** Processor time of the sender. */
  readonly senderMs: number;
}
