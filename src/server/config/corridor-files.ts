import { Type, type Static } from 'typebox';
import {
  createCorridorTable,
  type CorridorTable,
} from '../../domain/payments/corridors/corridor-table.ts';
import type { ReturnWindows } from '../../domain/payments/corridors/return-window.ts';
import { readCorridorsFile } from './corridors-file.ts';
import { readRestrictionsFile } from './restrictions-file.ts';
import type { Report } from './settings.ts';
import { jsonFile } from './setting-types.ts';

/** What an operator changes in the table of corridors. Read by API and worker. */
export const CORRIDOR_FILES = Type.Object({
  corridors: Type.Optional(
    jsonFile(
      'CORRIDORS_FILE',
      'Changes to the shipped table of corridors: [corridors](corridors.md). API and worker need the same file.',
    ),
  ),
  restrictedCountries: Type.Optional(
    jsonFile(
      'RESTRICTED_COUNTRIES_FILE',
      'The countries and regions that receive no money. It replaces the shipped list: [corridors](corridors.md). API and worker need the same file.',
    ),
  ),
});

type CorridorFiles = Static<typeof CORRIDOR_FILES>;

/** Reports every value of the files that cannot be used, by file, row and field. */
export function checkCorridorFiles(files: CorridorFiles, report: Report): void {
  const { problems } = readFiles(files);
  for (const [name, lines] of Object.entries(problems)) {
    for (const line of lines) report([name], `${name}: ${line}`);
  }
}

/** The table with what the files say. They have been checked. */
export function corridorTable(files: CorridorFiles, returnWindows: ReturnWindows): CorridorTable {
  const { overrides, restrictions } = readFiles(files);
  return createCorridorTable({
    overrides,
    returnWindows,
    ...(restrictions === null ? {} : { restrictions }),
  });
}

function readFiles(files: CorridorFiles) {
  const corridors = files.corridors === undefined ? null : readCorridorsFile(files.corridors);
  const restricted =
    files.restrictedCountries === undefined
      ? null
      : readRestrictionsFile(files.restrictedCountries);
  return {
    overrides: corridors?.ok === true ? corridors.overrides : [],
    restrictions: restricted?.ok === true ? restricted.restrictions : null,
    problems: {
      CORRIDORS_FILE: corridors?.ok === false ? corridors.lines : [],
      RESTRICTED_COUNTRIES_FILE: restricted?.ok === false ? restricted.lines : [],
    },
  };
}
