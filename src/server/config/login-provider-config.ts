import { Type, type Static } from 'typebox';
import { readRoleMapping } from '../../domain/customers/access/login-provider.ts';
import type { Surface } from '../../domain/customers/access/rights.ts';
import { checkPublishedSecrets } from './published-secrets.ts';
import { flag, secret, text, url } from './setting-types.ts';
import { readSettings, type Env, type Report } from './settings.ts';

const SECRET_LENGTH_MIN = 16;

function provider(prefix: 'OPS' | 'DASHBOARD', people: string, redirectOf: string) {
  return {
    issuer: url(
      `${prefix}_OIDC_ISSUER`,
      `The OpenID Connect provider that ${people} can log in with ([log in with your provider](../how-to/operate.md#log-in-with-your-provider)). Register \`/login/provider/callback\` at \`${redirectOf}\` there.`,
      { defaultText: '-' },
    ),
    clientId: text(`${prefix}_OIDC_CLIENT_ID`, {
      unit: 'text',
      description: 'The client ID that the provider has given.',
    }),
    clientSecret: secret(
      `${prefix}_OIDC_CLIENT_SECRET`,
      {
        must: `a secret of at least ${String(SECRET_LENGTH_MIN)} characters`,
        unit: 'secret',
        description: 'The client secret that the provider has given.',
      },
      (given) => given.length >= SECRET_LENGTH_MIN,
    ),
    name: text(
      `${prefix}_OIDC_NAME`,
      {
        default: 'your company account',
        must: 'a name of at most 40 characters',
        unit: 'text',
        description: 'What the login page calls the provider: "Log in with …".',
      },
      (given) => given.length <= 40,
    ),
    isOnly: flag(
      `${prefix}_OIDC_ONLY`,
      'Turns off every other way to log in there: codes by email, and passkeys alone.',
    ),
  };
}

export const LOGIN_PROVIDERS = Type.Object({
  console: Type.Optional(
    Type.Object({
      ...provider('OPS', 'operators', 'OPS_URL'),
      roleClaim: text('OPS_OIDC_ROLE_CLAIM', {
        default: 'groups',
        unit: 'name',
        description: 'The claim of the ID token that names the groups of an operator.',
      }),
      roles: Type.Optional(
        text(
          'OPS_OIDC_ROLES',
          {
            must: 'pairs of a value and a role, with commas between: payouts-ops=OPERATIONS',
            unit: 'pairs',
            defaultText: '-',
            description:
              'The role that each value of the claim grants: `payouts-admins=ADMIN,payouts-ops=OPERATIONS`. An operator can log in only if a value grants the role of their account. Without it, the claim is not read.',
          },
          (given) => readRoleMapping(given) !== null,
        ),
      ),
    }),
  ),
  dashboard: Type.Optional(Type.Object(provider('DASHBOARD', 'users', 'DASHBOARD_URL'))),
});

export type LoginProviderSettings = Static<typeof LOGIN_PROVIDERS>[Surface];

/** A name of this machine, or an address of it. */
const LOOPBACK = /^(.+\.)?localhost$|^127(\.[0-9]{1,3}){3}$|^\[::1\]$/;

const ISSUERS: Readonly<Record<Surface, string>> = {
  console: 'OPS_OIDC_ISSUER',
  dashboard: 'DASHBOARD_OIDC_ISSUER',
};

/** The provider of a surface, for its process alone; undefined where none is set. Throws ConfigError. */
export function readLoginProvider(env: Env, surface: Surface): LoginProviderSettings {
  const schema = Type.Object({ provider: LOGIN_PROVIDERS.properties[surface] });
  const { provider: settings } = readSettings(schema, env, ({ provider: given }, report) => {
    checkIssuer(ISSUERS[surface], given?.issuer, report);
    checkPublishedSecrets(schema, env, report);
  });
  return settings;
}

/** Reports a provider that is asked without TLS off this machine. */
function checkIssuer(name: string, issuer: string | undefined, report: Report): void {
  if (issuer === undefined || !URL.canParse(issuer)) return;
  const { protocol, hostname } = new URL(issuer);
  if (protocol === 'https:' || LOOPBACK.test(hostname)) return;
  report([name], `${name} must begin with https://, unless its host is this machine`);
}
