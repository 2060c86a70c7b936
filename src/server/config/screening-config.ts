import { Type, type Static } from 'typebox';
import type { Providers } from './provider-config.ts';
import { integer, text } from './setting-types.ts';
import type { Report } from './settings.ts';

const HOUR = 3_600_000;

const file = (env: string, description: string, defaultText: string) =>
  Type.Optional(text(env, { unit: 'path', description, defaultText }));

/** Where names and addresses are looked up in lists of sanctions. */
export const SCREENING = Type.Object({
  files: Type.Object({
    test: file(
      'SCREENING_FILE',
      'the list of sanctioned names of test (docs/reference/screening.md); not beside `SCREENING_URL`',
      "the sandbox's made-up names",
    ),
    live: file(
      'LIVE_SCREENING_FILE',
      'the list of sanctioned names of live; not beside `LIVE_SCREENING_URL`. Neither: live payments answer 422 `corridor_unavailable`',
      '-',
    ),
  }),
  addressFiles: Type.Object({
    test: file(
      'ADDRESS_SCREENING_FILE',
      'the list of addresses of test that are not paid (docs/reference/wallets.md); not beside `ADDRESS_SCREENING_URL`',
      "the sandbox's made-up addresses",
    ),
    live: file(
      'LIVE_ADDRESS_SCREENING_FILE',
      'the list of addresses of live; not beside `LIVE_ADDRESS_SCREENING_URL`. Neither: no wallet of live is registered',
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

/** One list an environment, of names and of addresses. */
export function checkScreening(
  { files, addressFiles }: Static<typeof SCREENING>,
  { screening, addressScreening }: Providers,
  report: Report,
): void {
  const kinds = [
    ['SCREENING', files, screening],
    ['ADDRESS_SCREENING', addressFiles, addressScreening],
  ] as const;
  for (const [kind, paths, providers] of kinds) {
    for (const [environment, prefix] of [
      ['test', ''],
      ['live', 'LIVE_'],
    ] as const) {
      const names = [`${prefix}${kind}_FILE`, `${prefix}${kind}_URL`];
      const areBoth = paths[environment] !== undefined && providers[environment] !== undefined;
      if (areBoth)
        report(names, `${names.join(' and ')} are both set: an environment has one list`);
    }
  }
}
