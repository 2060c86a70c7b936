import type { SystemTransaction } from '../../../db/client/database.ts';
import { readWaiting, type WaitingKind } from '../../../db/operations/waiting-store.ts';
import type { Children } from '../../kit/parts/types.ts';
import type { WaitingAt } from './waiting-section.tsx';

/** One list of a page of several. The inbox links to one alone, as `?show=`. */
export interface Section {
  readonly show: string;
  /** What the inbox counts of it; null: nothing. */
  readonly kind: WaitingKind | null;
  readonly read: (tx: SystemTransaction, now: Date) => Promise<(waiting: WaitingAt) => Children>;
}

/** The sections that are asked for, all of them where `show` names none, as of one moment. */
export async function readSections(
  tx: SystemTransaction,
  sections: readonly Section[],
  show: string | undefined,
  now: Date,
): Promise<readonly Children[]> {
  const named = sections.filter((section) => section.show === show);
  const shown = named.length === 0 ? sections : named;
  const kinds = shown.flatMap(({ kind }) => (kind === null ? [] : [kind]));
  const rows = kinds.length === 0 ? [] : await readWaiting(tx, now, kinds);
  const made: Children[] = [];
  for (const { read } of shown) made.push((await read(tx, now))({ rows, now }));
  return made;
}
