import { Type, type TSchema } from 'typebox';
import { CHAIN_SIGNERS } from './chain-signers-config.ts';
import { ENGINE } from './config.ts';
import { DEV } from './dev-config.ts';
import { LISTEN } from './listen-config.ts';
import { LOGIN_PROVIDERS } from './login-provider-config.ts';
import { SANDBOX_CHAIN } from './sandbox-chain-config.ts';
import { SANDBOX } from './sandbox-config.ts';
import { CONFIG_FOLDER } from './setting-names.ts';
import { baseNameOf } from './setting-scope.ts';
import { listSettings, settingOf, type Setting } from './settings.ts';

const {
  database,
  vault,
  providers,
  screening,
  corridors,
  chain,
  walletProof,
  travelRule,
  returnWindows,
  funding,
  fx,
  kyc,
  quotes,
  fees,
  http,
  web,
  mail,
  timing,
  monitor,
  temporalMetricsPort,
} = ENGINE.properties;

const {
  bank,
  kyc: kycProvider,
  nameCheck,
  nameCheckTimeoutMs,
  screening: screeningProvider,
  addressScreening,
  travelRule: travelRuleProvider,
  allowInsecureLiveLoopback,
} = providers.properties;

/** The sections of the page. A setting stands in the first section that has it. */
const SECTIONS: readonly (readonly [title: string, groups: readonly TSchema[]])[] = [
  ['Env files', [CONFIG_FOLDER]],
  ['Database', [database]],
  ['Secrets', [vault]],
  ['API', [http]],
  ['Bank and timing', [bank, allowInsecureLiveLoopback, timing, returnWindows, corridors, funding]],
  ['KYC and name check', [kycProvider, kyc, nameCheck, nameCheckTimeoutMs]],
  ['Screening', [screeningProvider, addressScreening, screening]],
  ['FX, quotes, and fees', [fx, quotes, fees]],
  ['Mail', [mail]],
  ['Chain', [chain, CHAIN_SIGNERS, walletProof, travelRuleProvider, travelRule]],
  ['Dashboard and console', [web, LOGIN_PROVIDERS]],
  ['Monitoring', [monitor, temporalMetricsPort]],
  ['Programs', [ENGINE]],
  ['Webhooks on your machine', [LISTEN]],
  ['Local run and sandbox', [DEV, SANDBOX, SANDBOX_CHAIN]],
];

// Prettier would pad every row to the longest meaning.
const UNPADDED = '<!-- prettier-ignore-start -->';
const PADDED = '<!-- prettier-ignore-end -->';

const MARKED = /(<!-- settings -->\n)[^]*?(<!-- end -->)/;

/** The page with the tables between `<!-- settings -->` and `<!-- end -->` made anew. */
export function renderSettingsPage(page: string): string {
  return page.replace(
    MARKED,
    (_all, start: string, end: string) =>
      `${start}\n${UNPADDED}\n\n${renderSections()}\n\n${PADDED}\n\n${end}`,
  );
}

/** The common settings, then those of an environment, each by what they configure. */
function renderSections(): string {
  const seen = new Set<string>();
  const sections = SECTIONS.map(([title, groups]) => {
    const settings = groups
      .flatMap((group) => (Type.IsObject(group) ? listSettings(group) : [group]))
      .filter((setting) => !seen.has(settingOf(setting).env));
    for (const setting of settings) seen.add(settingOf(setting).env);
    return { title, settings };
  });
  const part = (isCommon: boolean) =>
    sections.flatMap(({ title, settings }) => {
      const own = settings.filter((one) => (settingOf(one).scope === undefined) === isCommon);
      const heading = isCommon ? title : `${title} of one environment`;
      return own.length === 0 ? [] : [`### ${heading}\n\n${renderTable(own)}`];
    });
  return [
    ...['## Common settings', ...part(true)],
    ...['## Settings of one environment', ...part(false)],
  ].join('\n\n');
}

/** A Markdown table without padding, so that one long meaning does not widen every row. */
function renderTable(settings: readonly TSchema[]): string {
  const byName = new Map<string, TSchema[]>();
  for (const setting of settings) {
    const name = baseNameOf(setting);
    byName.set(name, [...(byName.get(name) ?? []), setting]);
  }
  const rows = [...byName].map(([name, group]) => {
    const [first] = group.map(settingOf);
    return [`\`${name}\``, defaultsOf(group), unitOf(first), first?.description ?? ''];
  });
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [['name', 'default', 'unit', 'meaning'], Array<string>(4).fill('---'), ...rows]
    .map(line)
    .join('\n');
}

/** A secret says so: a file may hold it. */
function unitOf(setting: Setting | undefined): string {
  const { unit = '', isSecret } = setting ?? {};
  return isSecret !== true || unit === 'secret' ? unit : `${unit}, secret`;
}

/** One default, or those of test and live; a setting of one environment says so. */
function defaultsOf(group: readonly TSchema[]): string {
  const [first, second] = group;
  if (first === undefined) return '';
  const { scope } = settingOf(first);
  if (scope === undefined) return describeDefault(first);
  if (second === undefined) return `${describeDefault(first)} (${scope} only)`;
  const [one, other] = [describeDefault(first), describeDefault(second)];
  return one === other ? one : `${one} / ${other}`;
}

function describeDefault(setting: TSchema): string {
  const { default: value, defaultText } = settingOf(setting);
  if (defaultText !== undefined) return defaultText;
  if (value === undefined) return Type.IsOptional(setting) ? '-' : '- (needed)';
  return Array.isArray(value) && value.length === 0
    ? 'none'
    : `\`${JSON.stringify(value).replaceAll(/["[\]]/g, '')}\``;
}
