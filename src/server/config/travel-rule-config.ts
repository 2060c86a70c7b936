import { Type, type Static } from 'typebox';
import type { Environment } from '../../domain/scope.ts';
import type { TravelRulePolicy } from '../../domain/payments/travel-rule/travel-rule-policy.ts';
import type { Providers } from './provider-config.ts';
import { perEnvironment } from './setting-scope.ts';
import { text } from './setting-types.ts';
import type { Report } from './settings.ts';

const RULES = ['every', 'none'];

function rule(environment: Environment) {
  return text(
    'TRAVEL_RULE',
    {
      default: environment === 'test' ? 'none' : 'every',
      must: 'every or none',
      unit: 'text',
      description:
        'The transfers to wallets that need a travel rule record: [wallets](wallets.md). API and worker need the same value.',
    },
    (given) => RULES.includes(given),
  );
}

/** Which transfers to wallets say who sends and receives them, and in whose name. */
export const TRAVEL_RULE = Type.Object({
  ...perEnvironment(rule).properties,
  name: Type.Optional(
    text('TRAVEL_RULE_VASP_NAME', {
      unit: 'text',
      defaultText: '-',
      description: 'The legal name of your company in travel rule records.',
    }),
  ),
  country: Type.Optional(
    text(
      'TRAVEL_RULE_VASP_COUNTRY',
      {
        must: 'an ISO 3166-1 alpha-2 country',
        unit: 'text',
        defaultText: '-',
        description: 'The country where your company is registered (ISO 3166-1 alpha-2).',
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
        description: 'The LEI of your company (ISO 17442).',
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
