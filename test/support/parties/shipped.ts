import { readFileSync } from 'node:fs';
import { createNameList, type ListEntry } from '../../../src/domain/parties/screening/name-list.ts';
import type { ScreeningSubject } from '../../../src/domain/parties/screening/screening-provider.ts';
import { readList } from '../../../src/adapters/screening/list-file.ts';
import { SHIPPED_LIST } from '../../../src/adapters/screening/shipped-list.ts';
import { THRESHOLD_PERCENT } from '../test-screening.ts';

const list = createNameList(readList(readFileSync(SHIPPED_LIST)).entries);

/** Whether a name is found in a list of one entry, at the same threshold. */
export function isHitIn(entry: Pick<ListEntry, 'kind' | 'names'>, name: string): boolean {
  const one = createNameList([{ id: 'one', datesOfBirth: [], ...entry }]);
  const subject = { reference: 'r', kind: 'PERSON', names: [name] } as const;
  return one.screen([subject], THRESHOLD_PERCENT).length > 0;
}

/** The ids of the sandbox's entries that a name hits, at the threshold that a process has by itself. */
export function hitsOf(name: string, more: Partial<ScreeningSubject> = {}): string[] {
  const subject = { reference: 'r', kind: 'PERSON', names: [name], ...more } as const;
  return list.screen([subject], THRESHOLD_PERCENT).map(({ entryId }) => entryId);
}
