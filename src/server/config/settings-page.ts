import { Type, type TObject, type TSchema } from 'typebox';
import { ENGINE } from './config.ts';
import { CHAIN_SIGNERS } from './chain-signers-config.ts';
import { DEV } from './dev-config.ts';
import { HTTP } from './http-config.ts';
import { LISTEN } from './listen-config.ts';
import { MAIL } from './mail-config.ts';
import { SANDBOX } from './sandbox-config.ts';
import { listSettings, settingOf } from './settings.ts';
import { TIMING } from './timing-config.ts';
import { WEB } from './web-config.ts';

/** The tables of docs/reference/configuration.md by the name in their mark. */
const TABLES: Readonly<Record<string, TObject>> = {
  engine: Type.Omit(ENGINE, ['http', 'web', 'mail', 'timing']),
  api: HTTP,
  web: WEB,
  mail: MAIL,
  signers: CHAIN_SIGNERS,
  timings: TIMING,
  sandbox: SANDBOX,
  dev: DEV,
  listen: LISTEN,
};

const MARKED = /(<!-- settings:([a-z]+) -->\n)[^]*?(<!-- end -->)/g;

/** The page with every table between `<!-- settings:name -->` and `<!-- end -->` made anew. */
export function renderSettingsPage(page: string): string {
  return page.replace(MARKED, (_all, start: string, name: string, end: string) => {
    const settings = TABLES[name];
    if (settings === undefined) throw new RangeError(`no settings are called ${name}`);
    return `${start}\n${renderTable(settings)}\n\n${end}`;
  });
}

/** Markdown as prettier has it. Settings with one meaning share a row, as those of test and live. */
function renderTable(settings: TObject): string {
  const byMeaning: Record<string, TSchema[]> = {};
  for (const setting of listSettings(settings)) {
    (byMeaning[settingOf(setting).description] ??= []).push(setting);
  }
  const rows = Object.entries(byMeaning).map(([meaning, group]) => [
    group.map((setting) => `\`${settingOf(setting).env}\``).join(', '),
    [...new Set(group.map(describeDefault))].join(', '),
    group.map((setting) => settingOf(setting).unit)[0] ?? '',
    meaning,
  ]);
  const all = [['name', 'default', 'unit', 'meaning'], ...rows];
  const widths = [0, 1, 2, 3].map((column) =>
    Math.max(...all.map((row) => row[column]?.length ?? 0)),
  );
  const line = (cells: readonly string[], fill = ' ') =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0, fill)).join(' | ')} |`;
  return [line(all[0] ?? []), line(['', '', '', ''], '-'), ...rows.map((row) => line(row))].join(
    '\n',
  );
}

function describeDefault(setting: TSchema): string {
  const { default: value, defaultText } = settingOf(setting);
  if (defaultText !== undefined) return defaultText;
  if (value === undefined) return Type.IsOptional(setting) ? '-' : '- (needed)';
  return Array.isArray(value) ? 'none' : `\`${JSON.stringify(value).replaceAll('"', '')}\``;
}
