import { Type, type Static } from 'typebox';
import { ENVIRONMENTS } from '../../domain/scope.ts';
import type { Providers } from './provider-config.ts';
import { perEnvironment, variableOf } from './setting-scope.ts';
import { integer, text } from './setting-types.ts';
import type { Report } from './settings.ts';

const HOUR = 3_600_000;

const file = (env: string, description: string, defaultText: string) =>
  Type.Optional(text(env, { unit: 'path', description, defaultText }));

/** Where names and addresses are looked up in lists of sanctions. */
export const SCREENING = Type.Object({
  files: perEnvironment((environment) =>
    file(
      'SCREENING_FILE',
      'The list of sanctioned names: [screening](screening.md). Set this or `SCREENING_URL`, not both. Without either, live payments answer 422 `corridor_unavailable`.',
      environment === 'test' ? "the sandbox's names" : '-',
    ),
  ),
  addressFiles: perEnvironment((environment) =>
    file(
      'ADDRESS_SCREENING_FILE',
      'The list of blocked addresses: [wallets](wallets.md). Set this or `ADDRESS_SCREENING_URL`, not both. Without either, live registers no wallet.',
      environment === 'test' ? "the sandbox's addresses" : '-',
    ),
  ),
  thresholdPercent: integer('SCREENING_THRESHOLD_PERCENT', [70, 100], {
    default: 88,
    unit: '%',
    description: 'The similarity of a name and a listed name that counts as a hit.',
  }),
  maxAgeMs: integer('SCREENING_MAX_AGE_MS', [60_000, 30 * 24 * HOUR], {
    default: 24 * HOUR,
    unit: 'ms',
    description:
      'With a screening provider: the age of a screening result after which the name is screened again before a payment is sent.',
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
    for (const environment of ENVIRONMENTS) {
      const names = ['FILE', 'URL'].map((end) => variableOf(environment, `${kind}_${end}`));
      const areBoth = paths[environment] !== undefined && providers[environment] !== undefined;
      if (areBoth)
        report(names, `${names.join(' and ')} are both set: an environment has one list`);
    }
  }
}
