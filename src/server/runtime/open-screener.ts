import type { Config } from '../config/config.ts';
import type { ScreeningProvider } from '../../domain/parties/screening/screening-provider.ts';
import type { Environment } from '../../domain/scope.ts';
import { createFileScreening } from '../../adapters/screening/file-screening.ts';
import { createHttpScreening } from '../../adapters/screening/http-screening.ts';
import { SHIPPED_LIST } from '../../adapters/screening/shipped-list.ts';
import { createScreener, type Screener } from '../../modules/parties/screening/screener.ts';
import { PlainError, reasonOf } from './plain-error.ts';
import { openProviderDispatcher } from './provider-dispatcher.ts';
import type { Resources } from './resources.ts';

/** Half of what a call may take. */
const CONNECT_TIMEOUT_MS = 2_500;

type ScreeningProviders = Partial<Record<Environment, ScreeningProvider>>;

/** What screens in a process. Throws PlainError where a configured file cannot be used. */
export function openScreening(resources: Resources): {
  readonly screener: Screener;
  readonly providers: ScreeningProviders;
} {
  const { db, vault, clock, log } = resources;
  const providers = openProviders(resources);
  const screener = createScreener({
    ...{ db, vault, clock, providers },
    onCase: (opened) => {
      log.error(opened, 'screening hit needs an operator');
    },
  });
  return { screener, providers };
}

function openProviders(resources: Resources): ScreeningProviders {
  const { config } = resources;
  const test = openProvider(resources, 'test', config.screening.files.test ?? SHIPPED_LIST);
  const live = openProvider(resources, 'live', config.screening.files.live);
  return { ...(test && { test }), ...(live && { live }) };
}

function openProvider(
  { config, clock, log }: Resources,
  environment: keyof Config['screening']['files'],
  path: string | undefined,
): ScreeningProvider | null {
  const { thresholdPercent, maxAgeMs } = config.screening;
  const provider = config.providers.screening[environment];
  if (provider !== undefined) {
    const dispatcher = openProviderDispatcher(provider, CONNECT_TIMEOUT_MS);
    return createHttpScreening({ url: provider.url, maxAgeMs, dispatcher });
  }
  if (path === undefined) return null;
  try {
    return createFileScreening({
      ...{ path, thresholdPercent, clock },
      onUnusable: (error) => {
        log.error({ environment, reason: reasonOf(error) }, 'the list of names cannot be used');
      },
    });
  } catch (error) {
    throw new PlainError(`The ${environment} list of names cannot be used: ${reasonOf(error)}`);
  }
}
