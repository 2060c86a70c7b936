import { Type, type Static } from 'typebox';
import type { Providers } from './provider-config.ts';
import { integer, text } from './setting-types.ts';
import type { Report } from './settings.ts';

const HOUR = 3_600_000;

const file = (env: string, description: string, defaultText: string) =>
  Type.Optional(text(env, { unit: 'path', description, defaultText }));

/** Where names are looked up in a sanctions list. */
export const SCREENING = Type.Object({
  files: Type.Object({
    test: file(
      'SCREENING_FILE',
      'the list of sanctioned names of test (docs/screening.md); not beside `SCREENING_URL`',
      "the sandbox's made-up names",
    ),
    live: file(
      'LIVE_SCREENING_FILE',
      'the list of sanctioned names of live; not beside `LIVE_SCREENING_URL`. Neither: live payments answer 422 `corridor_unavailable`',
      '-',
    ),
  }),
  thresholdPercent: integer('SCREENING_THRESHOLD_PERCENT', [70, 100], {
    default: 88,
    unit: '%',
    description: 'how alike a name and a listed one of a file must be to be a hit',
  }),
  maxAgeMs: integer('SCREENING_MAX_AGE_MS', [60_000, 30 * 24 * HOUR], {
    default: 24 * HOUR,
    unit: 'ms',
    description:
      'with a screening provider: names that were looked up longer ago are looked up again before money leaves',
  }),
});

/** One list an environment. */
export function checkScreening(
  { files }: Static<typeof SCREENING>,
  { screening }: Providers,
  report: Report,
): void {
  for (const [environment, prefix] of [
    ['test', ''],
    ['live', 'LIVE_'],
  ] as const) {
    const names = [`${prefix}SCREENING_FILE`, `${prefix}SCREENING_URL`];
    const areBoth = files[environment] !== undefined && screening[environment] !== undefined;
    if (areBoth) report(names, `${names.join(' and ')} are both set: an environment has one list`);
  }
}
