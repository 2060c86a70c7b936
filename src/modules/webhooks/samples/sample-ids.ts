import type { IdPrefix } from '../../../domain/ids.ts';

/** An id that no one has: zeros are the first moment of all, when there was no service. */
export const sampleId = (prefix: IdPrefix): string => `${prefix}_${'0'.repeat(25)}1`;

/** How long before an event its resource was made, in a sample. */
const AGE_MS = 60_000;

export const madeBefore = (at: Date): Date => new Date(at.getTime() - AGE_MS);

/** Of rows whose sealed columns no event shows. */
export const NOTHING_SEALED = Buffer.alloc(0);
