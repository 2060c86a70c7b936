import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../../../src/server/config/config.ts';
import { readDevConfig } from '../../../src/server/config/dev-config.ts';
import { readSandboxConfig } from '../../../src/server/config/sandbox-config.ts';
import { renderSettingsPage } from '../../../src/server/config/settings-page.ts';
import type { Env } from '../../../src/server/config/settings.ts';
import { ROOT } from '../../support/docs/markdown.ts';

const page = readFileSync(join(ROOT, 'docs/reference/configuration.md'), 'utf8');

/** The variables that a program asks for when it starts with every one of them set. */
function askedFor(read: (env: Env) => unknown): string[] {
  const asked = new Set<string>();
  const env = new Proxy<Env>(
    {},
    {
      get(_target, name) {
        if (typeof name === 'string') asked.add(name);
        return '1';
      },
    },
  );
  try {
    read(env);
  } catch {
    // 1 is not a right value of every one.
  }
  return [...asked];
}

describe('docs/reference/configuration.md', () => {
  it('is what the settings say', () => {
    expect(renderSettingsPage(page)).toBe(page);
  });

  it.each([
    ['API and worker', readConfig, 50],
    ['sandbox', readSandboxConfig, 10],
    ['local run', readDevConfig, 14],
  ])('names every variable that is read: %s', (_program, read, countMin) => {
    const asked = askedFor(read);
    expect(asked.length).toBeGreaterThanOrEqual(countMin);
    const isNamed = (name: string) =>
      [name, name.replace(/^(TEST|LIVE)_/, '')].some((one) => page.includes(`| \`${one}\` |`));
    expect(asked.filter((name) => !isNamed(name))).toEqual([]);
  });

  it('names every setting once', () => {
    const names = [...page.matchAll(/^\| `([A-Z0-9_]+)` \|/gm)].map(([, name]) => name);
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
  });

  it('says of the order of timings what the schema checks', () => {
    expect(page).toContain('must be shorter than 60000');
    expect(page).toContain('| `BANK_TIMEOUT_MS` | `2000` / `30000` | ms |');
  });
});
