import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readEnvironment } from '../../../src/server/config/environment.ts';
import type { Program } from '../../../src/server/config/program-secrets.ts';
import { SECRET_NAMES, SETTINGS } from '../../../src/server/config/setting-names.ts';
import { settingOf } from '../../../src/server/config/settings.ts';

const SECRET = 'hidden-value';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'causeway-secret-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

const write = (name: string, content: string | Buffer, mode = 0o600): string => {
  const path = join(folder, name);
  writeFileSync(path, content, { mode });
  return path;
};
const read = (env: Record<string, string>, warn: (line: string) => void = () => undefined) =>
  readEnvironment(env, 'dev', warn);
const problemsOf = (env: Record<string, string>): string => {
  try {
    read(env);
  } catch (error) {
    return (error as Error).message;
  }
  return '';
};

describe('a file that holds a secret', () => {
  it('gives each secret its value, and is named to nobody further on', () => {
    const path = write('one', SECRET);
    for (const name of SECRET_NAMES) {
      expect(read({ [`${name}_FILE`]: path }), name).toEqual({ [name]: SECRET });
    }
  });

  it('is one for every setting that holds a password, a key or a token', () => {
    const SECRET_LIKE = /(_KEYS|PEPPER|_SECRET|_TOKEN|_PASSWORD|_API_KEY|DATABASE_URL)$/;
    const names = SETTINGS.map((one) => settingOf(one).env).filter((name) =>
      SECRET_LIKE.test(name),
    );
    expect(new Set(names).size).toBeGreaterThan(20);
    expect(names.filter((name) => !SECRET_NAMES.has(name))).toEqual([]);
  });

  it.each([
    ['one line break', `${SECRET}\n`, SECRET],
    ['one line break of Windows', `${SECRET}\r\n`, SECRET],
    ['two line breaks', `${SECRET}\n\n`, `${SECRET}\n`],
    ['no line break', SECRET, SECRET],
  ])('ends with %s', (_what, content, value) => {
    expect(read({ PEPPER_FILE: write('pepper', content) })).toEqual({ PEPPER: value });
  });

  it('may be named in the env file of its environment, and be a symbolic link', () => {
    symlinkSync(write('data', SECRET), join(folder, 'token'));
    write('live.env', `BANK_TOKEN_FILE=${join(folder, 'token')}`);
    expect(read({ CONFIG_DIR: folder })).toEqual({ LIVE_BANK_TOKEN: SECRET });
  });

  it('is not read where its variable is empty', () => {
    expect(read({ PEPPER: SECRET, PEPPER_FILE: ' ' })).toEqual({ PEPPER: SECRET });
  });

  it('is refused beside its value, and both variables are named', () => {
    const problems = problemsOf({ PEPPER: 'hidden', PEPPER_FILE: write('pepper', SECRET) });
    expect(problems).toContain('PEPPER and PEPPER_FILE are both set');
    expect(problems).not.toContain('hidden');
  });

  it.each<[string, () => string]>([
    ['is absent', () => join(folder, 'absent')],
    [
      'is a folder',
      () => {
        mkdirSync(join(folder, 'one'));
        return join(folder, 'one');
      },
    ],
    ['is no text', () => write('one', Buffer.from([0x68, 0xff, 0xfe]))],
    ['is larger than 64 kB', () => write('one', 'hidden'.repeat(11_000))],
    ['never ends', () => '/dev/zero'],
    ['is empty', () => write('one', '')],
    ['holds nothing but a line break', () => write('one', '\r\n')],
    [
      'can be changed by everybody',
      () => {
        const path = write('one', SECRET);
        chmodSync(path, 0o602);
        return path;
      },
    ],
  ])('is refused where it %s: variable and path are named, its content is not', (_what, make) => {
    const path = make();
    const problems = problemsOf({ LIVE_BANK_TOKEN_FILE: path });
    expect(problems).toContain(`LIVE_BANK_TOKEN_FILE: ${path} `);
    expect(problems).not.toContain('hidden');
  });

  it('is not taken for one where a secret itself was given, which stays unsaid', () => {
    const problems = problemsOf({ SMTP_PASSWORD_FILE: SECRET });
    expect(problems).toContain('SMTP_PASSWORD_FILE must be a path that begins with /');
    expect(problems).not.toContain('hidden');
  });

  it('causes a warning where everybody can read it', () => {
    const lines: string[] = [];
    const path = write('pepper', SECRET, 0o640);
    read({ PEPPER_FILE: path }, (line) => lines.push(line));
    expect(lines).toEqual([]);
    chmodSync(path, 0o644);
    read({ PEPPER_FILE: path }, (line) => lines.push(line));
    expect(lines).toEqual([
      `Warning: every user of this machine can read ${path} of PEPPER_FILE: chmod o-r.`,
    ]);
  });

  it.each<[Program, readonly string[]]>([
    ['api', ['PEPPER', 'LIVE_BANK_TOKEN', 'TEMPORAL_API_KEY']],
    ['console', ['PEPPER', 'LIVE_BANK_TOKEN', 'TEMPORAL_API_KEY', 'OPS_OIDC_CLIENT_SECRET']],
    [
      'dashboard',
      ['PEPPER', 'LIVE_BANK_TOKEN', 'TEMPORAL_API_KEY', 'DASHBOARD_OIDC_CLIENT_SECRET'],
    ],
    ['chain', ['PEPPER', 'LIVE_BANK_TOKEN', 'TEMPORAL_API_KEY', 'LIVE_CHAIN_SIGNERS_SECRET']],
    ['ops', ['PEPPER', 'LIVE_BANK_TOKEN', 'TEMPORAL_API_KEY']],
    ['ops-chain', ['PEPPER', 'LIVE_BANK_TOKEN', 'TEMPORAL_API_KEY', 'LIVE_CHAIN_SIGNERS_SECRET']],
    ['verify', ['PEPPER', 'TEMPORAL_API_KEY']],
    ['migrate', ['TEMPORAL_API_KEY']],
    ['sandbox', ['LIVE_KYC_CALLBACK_SECRET']],
    ['smoke', ['CAUSEWAY_API_KEY']],
  ])('is opened by the program alone that has the setting: %s', (program, own) => {
    const path = write('one', SECRET);
    const names = [
      ...['PEPPER', 'LIVE_BANK_TOKEN', 'TEMPORAL_API_KEY', 'LIVE_CHAIN_SIGNERS_SECRET'],
      ...['OPS_OIDC_CLIENT_SECRET', 'DASHBOARD_OIDC_CLIENT_SECRET', 'CAUSEWAY_API_KEY'],
      ...(program === 'sandbox' ? ['LIVE_KYC_CALLBACK_SECRET'] : []),
    ];
    // A file of another program's is not even looked for.
    const env = names.map((name) => [`${name}_FILE`, own.includes(name) ? path : '/absent']);
    expect(
      readEnvironment(Object.fromEntries(env) as Record<string, string>, program, () => undefined),
    ).toEqual(Object.fromEntries(own.map((name) => [name, SECRET])));
  });

  it('is named in the process without a misspelling, as the secret is', () => {
    expect(problemsOf({ PEPER_FILE: '/x', BANK_TOKEN_FILE: '/x' })).toMatch(
      /PEPER_FILE is not a setting. Did you mean PEPPER_FILE\?[^]*TEST_BANK_TOKEN_FILE or LIVE_BANK_TOKEN_FILE/,
    );
  });
});
