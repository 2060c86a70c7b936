import type {
  ScreeningHit,
  ScreeningSubject,
} from '../../../domain/parties/screening/screening-provider.ts';
import type { PartyRef } from '../../../domain/workflows/work-refs.ts';
import type { KeyOwner } from '../../../vault/owner-key.ts';

/** What a look-up of one party's names came to. */
export interface Screening {
  readonly party: PartyRef;
  /** Whose key seals what is written of it. */
  readonly owner: KeyOwner;
  /** The sealed names as they were read for the look-up. */
  readonly personal: Buffer;
  readonly subjects: readonly ScreeningSubject[];
  readonly listVersion: string;
  readonly hits: readonly ScreeningHit[];
  readonly at: Date;
}
