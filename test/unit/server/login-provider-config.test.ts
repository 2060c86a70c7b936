import { describe, expect, it } from 'vitest';
import {
  grantedRoles,
  readRoleMapping,
} from '../../../src/domain/customers/access/login-provider.ts';
import { readLoginProvider } from '../../../src/server/config/login-provider-config.ts';
import { ConfigError } from '../../../src/server/config/settings.ts';

const CLIENT = {
  OPS_OIDC_ISSUER: 'https://id.platform.example',
  OPS_OIDC_CLIENT_ID: 'console',
  OPS_OIDC_CLIENT_SECRET: 'a-secret-of-the-tests-alone',
};

function problemsOf(env: Record<string, string>): string {
  try {
    readLoginProvider(env, 'console');
    return '';
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
}

describe('a login provider', () => {
  it('is none where no issuer is set', () => {
    expect(readLoginProvider({}, 'console')).toBeUndefined();
    expect(readLoginProvider(CLIENT, 'dashboard')).toBeUndefined();
    expect(readLoginProvider(CLIENT, 'console')?.issuer).toBe(CLIENT.OPS_OIDC_ISSUER);
  });

  it('is asked with TLS off this machine', () => {
    expect(problemsOf(CLIENT)).toBe('');
    expect(problemsOf({ ...CLIENT, OPS_OIDC_ISSUER: 'http://localhost:9000' })).toBe('');
    expect(problemsOf({ ...CLIENT, OPS_OIDC_ISSUER: 'http://id.platform.example' })).toContain(
      'OPS_OIDC_ISSUER must begin with https://',
    );
  });

  it('needs its client, whose secret is never repeated', () => {
    const { OPS_OIDC_CLIENT_ID: _id, ...rest } = CLIENT;
    expect(problemsOf(rest)).toContain('OPS_OIDC_CLIENT_ID is not set');
    const short = problemsOf({ ...CLIENT, OPS_OIDC_CLIENT_SECRET: 'hunter2' });
    expect(short).toContain('OPS_OIDC_CLIENT_SECRET must be');
    expect(short).not.toContain('hunter2');
  });

  it.each(['ops', 'ops=BOSS', 'ops=ADMIN,ops=SUPPORT', '=ADMIN'])(
    'takes no mapping %s',
    (mapping) => {
      expect(problemsOf({ ...CLIENT, OPS_OIDC_ROLES: mapping })).toContain('OPS_OIDC_ROLES');
    },
  );
});

describe('a claim of roles', () => {
  const mapping = readRoleMapping('admins=ADMIN, payouts-ops=OPERATIONS') ?? new Map();

  it.each([
    ['a text', 'admins', ['ADMIN']],
    ['a list', ['x', 'payouts-ops', 'admins'], ['ADMIN', 'OPERATIONS']],
    ['a name that is part of one', ['admin', 'payouts-ops2'], []],
    ['an object', { admins: true }, []],
    ['nothing', undefined, []],
  ] as const)('grants what the mapping says: %s', (_what, claim, roles) => {
    expect(grantedRoles(mapping, claim)).toEqual(roles);
  });
});
