import fc from 'fast-check';
import { KYC_MOVES, type KycStatus } from '../../../src/domain/parties/kyc/kyc-states.ts';

/** What a provider says of one version of its check. */
export interface Said {
  readonly providerVersion: number;
  readonly status: KycStatus;
  /** Milliseconds from the moment at which it is said to the approval's end. */
  readonly endsInMs: number | null;
}

/** What happens beside the reports. */
export type Act = 'APPLY' | 'PAY' | 'SETTLE' | 'EXPIRE' | 'TICK';

export interface KycSequence {
  /** Whether the provider keeps to the legal moves, says one thing of a version, and sets no ends. */
  readonly isLawful: boolean;
  /** What is said, in versions from low to high. */
  readonly said: readonly Said[];
  /** Reports shuffled and repeated among acts; those of one group happen at once. */
  readonly groups: readonly (readonly (Said | Act)[])[];
}

const next = (from: KycStatus): KycStatus[] =>
  KYC_MOVES.filter(([left]) => left === from).map(([, to]) => to);

/** A life of a check at its provider: versions may jump, and reports may be lost but for the newest. */
const life: fc.Arbitrary<Said[]> = fc
  .array(fc.record({ choice: fc.nat(11), jump: fc.integer({ min: 1, max: 3 }) }), {
    ...{ minLength: 1, maxLength: 7 },
  })
  .map((steps) => {
    const said: Said[] = [];
    let status: KycStatus = 'PENDING';
    let providerVersion = 1;
    for (const { choice, jump } of steps) {
      const moves = next(status);
      // Approvals more often than chance would have them: without one no payment is ever at stake.
      const wanted = choice > 5 ? moves.find((move) => move === 'APPROVED') : undefined;
      const move: KycStatus | undefined = wanted ?? moves[choice % Math.max(moves.length, 1)];
      if (move === undefined) break;
      status = move;
      providerVersion += jump;
      said.push({ providerVersion, status, endsInMs: null });
    }
    return said;
  });

/** Ends that come at once, soon, or after all that happens. */
const endsInMs = fc.constantFrom(null, 0, 40, 600_000);

/** In place of a version: the newest one of the life. */
const NEWEST = 0;

/** What no provider should say: any state of any version, ends that come soon. */
const nonsense: fc.Arbitrary<Said[]> = fc.array(
  fc.record({
    // Half of it about the newest version, where it matters most.
    providerVersion: fc.option(fc.integer({ min: 1, max: 14 }), { nil: NEWEST, freq: 1 }),
    status: fc.constantFrom<KycStatus>(
      ...(['PENDING', 'IN_REVIEW', 'APPROVED', 'APPROVED', 'REJECTED'] as const),
      ...(['RESUBMISSION_REQUIRED', 'EXPIRED', 'REVOKED'] as const),
    ),
    endsInMs,
  }),
  { minLength: 1, maxLength: 4 },
);

const acts = fc.array(
  fc.constantFrom<Act>('APPLY', 'APPLY', 'APPLY', 'PAY', 'PAY', 'SETTLE', 'EXPIRE', 'TICK'),
  { minLength: 6, maxLength: 14 },
);

export const kycSequences: fc.Arbitrary<KycSequence> = fc
  .record({
    life,
    endsInMs,
    isLawful: fc.boolean(),
    nonsense,
    acts,
    sizes: fc.array(fc.integer({ min: 1, max: 4 })),
  })
  .chain(({ life, endsInMs, isLawful, nonsense, acts, sizes }) => {
    const newest = life.at(-1)?.providerVersion ?? 1;
    const strange = nonsense.map((one) => ({
      ...one,
      providerVersion: one.providerVersion === NEWEST ? newest : one.providerVersion,
    }));
    const told = isLawful ? life : [...life.map((one) => ({ ...one, endsInMs })), ...strange];
    const said = told.toSorted((a, b) => a.providerVersion - b.providerVersion);
    const happening = [...told, ...told, ...acts];
    return fc
      .shuffledSubarray(happening, { minLength: happening.length })
      .map((order) => ({ isLawful, said, groups: grouped(order, sizes) }));
  });

function grouped<Item>(items: readonly Item[], sizes: readonly number[]): Item[][] {
  const groups: Item[][] = [];
  for (let at = 0, turn = 0; at < items.length; turn += 1) {
    const size = sizes[turn % Math.max(sizes.length, 1)] ?? 1;
    groups.push(items.slice(at, at + size));
    at += size;
  }
  return groups;
}
