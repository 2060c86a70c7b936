import { Type, type Static } from 'typebox';
import type { Environment } from '../../domain/scope.ts';
import type { TravelRulePolicy } from '../../domain/payments/travel-rule/travel-rule-policy.ts';
import type { Providers } from './provider-config.ts';
import { text } from './setting-types.ts';
import type { Report } from './settings.ts';

const RULES = ['every', 'none'];

function rule(environment: 'TEST' | 'LIVE', fallback: string) {
  return text(
    `${environment}_TRAVEL_RULE`,
    {
      default: fallback,
      must: 'every or none',
      unit: 'text',
      description:
        'which transfers to wallets go with a record of sender and receiver (docs/reference/wallets.md). The same for API and worker',
    },
    (given) => RULES.includes(given),
  );
}

/** Which transfers to wallets say who sends and receives them, and in whose name. */
export const TRAVEL_RULE = Type.Object({
  test: rule('TEST', 'none'),
  live: rule('LIVE', 'every'),
  name: Type.Optional(
    text('TRAVEL_RULE_VASP_NAME', {
      unit: 'text',
      defaultText: '-',
      description: 'the legal name that transfers to wallets are sent in',
    }),
  ),
  country: Type.Optional(
    text(
      'TRAVEL_RULE_VASP_COUNTRY',
      {
        must: 'an ISO 3166-1 alpha-2 country',
        unit: 'text',
        defaultText: '-',
        description: 'where that company is registered, ISO 3166-1 alpha-2',
      },
      (given) => /^[A-Z]{2}$/.test(given),
    ),
  ),
  lei: Type.Optional(
    text(
      'TRAVEL_RULE_VASP_LEI',
      {
        must: 'an LEI (ISO 17442): 18 letters and digits and 2 digits',
        unit: 'text',
        defaultText: '-',
        description: 'its LEI (ISO 17442)',
      },
      (given) => /^[0-9A-Z]{18}[0-9]{2}$/.test(given),
    ),
  ),
});

type TravelRule = Static<typeof TRAVEL_RULE>;

/** Reports a rule without the name that transfers would be sent in. */
export function checkTravelRule(
  { test, live, name, country }: TravelRule,
  { hasLiveNetworks }: { readonly hasLiveNetworks: boolean },
  report: Report,
): void {
  const isLive = hasLiveNetworks && live === 'every';
  if ((test !== 'every' && !isLive) || (name !== undefined && country !== undefined)) return;
  const named = ['TRAVEL_RULE_VASP_NAME', 'TRAVEL_RULE_VASP_COUNTRY'];
  const why = isLive ? 'LIVE_TRAVEL_RULE=every' : 'TEST_TRAVEL_RULE=every';
  report(named, `${why} needs TRAVEL_RULE_VASP_NAME and TRAVEL_RULE_VASP_COUNTRY`);
}

/** The policies of both environments. They have been checked. */
export function travelRulePolicies(
  { test, live, name, country, lei }: TravelRule,
  { travelRule }: Pick<Providers, 'travelRule'>,
): Readonly<Record<Environment, TravelRulePolicy>> {
  const vasp =
    name === undefined || country === undefined ? null : { name, country, lei: lei ?? null };
  const read = (rule: string, areHostsAsked: boolean): TravelRulePolicy => ({
    originatingVasp: rule === 'every' ? vasp : null,
    areHostsAsked,
  });
  return { test: read(test, true), live: read(live, travelRule.live !== undefined) };
}
