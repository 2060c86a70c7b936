import * as oidc from 'openid-client';
import { AnswerTooLarge, fetchBounded } from './fetch-bounded.ts';
import { readEmailAddress } from '../../domain/customers/access/email-address.ts';
import {
  grantedRoles,
  readRoleMapping,
  type LoginProvider,
  type ProviderAnswer,
  type ProviderVisit,
} from '../../domain/customers/access/login-provider.ts';

interface ProviderSettings {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly name: string;
  readonly isOnly: boolean;
  readonly roleClaim?: string;
  readonly roles?: string | undefined;
}

/** For each request to the provider, its answer included. */
const TIMEOUT_S = 10;

/**
 * Logs people in by the authorization code flow with PKCE, state and nonce (OpenID Connect Core 1.0, section 3.1;
 * RFC 9700, section 2.1). The ID token's signature is checked with the provider's keys.
 */
export function createLoginProvider(
  { issuer, clientId, clientSecret, name, isOnly, roleClaim = '', roles }: ProviderSettings,
  /** Where the provider sends browsers back to. */
  redirectUrl: string,
): LoginProvider {
  const mapping = roles === undefined ? null : readRoleMapping(roles);
  const isPlain = new URL(issuer).protocol === 'http:';
  let found: Promise<oidc.Configuration> | null = null;

  /** The provider's document, read once; after a failure, again at the next login. */
  function discover(): Promise<oidc.Configuration> {
    const asked =
      found ??
      oidc.discovery(
        new URL(issuer),
        clientId,
        clientSecret,
        oidc.ClientSecretBasic(clientSecret),
        {
          timeout: TIMEOUT_S,
          [oidc.customFetch]: fetchBounded,
          execute: [
            // Settings refuse plain HTTP off this machine. It is marked as deprecated only to stand out.
            // eslint-disable-next-line @typescript-eslint/no-deprecated
            ...(isPlain ? [oidc.allowInsecureRequests] : []),
            oidc.enableNonRepudiationChecks,
          ],
        },
      );
    found = asked;
    asked.catch(() => {
      if (found === asked) found = null;
    });
    return asked;
  }

  async function exchange(query: string, visit: ProviderVisit): Promise<ProviderAnswer> {
    const back = new URL(redirectUrl);
    back.search = query;
    const tokens = await oidc.authorizationCodeGrant(await discover(), back, {
      pkceCodeVerifier: visit.verifier,
      expectedState: visit.state,
      expectedNonce: visit.nonce,
      idTokenExpected: true,
    });
    const claims = tokens.claims();
    const isVerified = claims?.email_verified === true;
    const given = typeof claims?.email === 'string' ? readEmailAddress(claims.email) : null;
    return {
      kind: 'IDENTITY',
      identity: {
        address: isVerified ? given : null,
        roles: mapping === null ? [] : grantedRoles(mapping, claims?.[roleClaim]),
      },
    };
  }

  return {
    ...{ name, issuer, isOnly },
    hasRoles: mapping !== null,
    async start() {
      const config = await discover().catch((error: unknown) => whyNot(error));
      if ('kind' in config) return { kind: 'FAILED', code: config.code };
      const visit = {
        state: oidc.randomState(),
        nonce: oidc.randomNonce(),
        verifier: oidc.randomPKCECodeVerifier(),
      };
      const url = oidc.buildAuthorizationUrl(config, {
        redirect_uri: redirectUrl,
        scope: 'openid email profile',
        code_challenge: await oidc.calculatePKCECodeChallenge(visit.verifier),
        code_challenge_method: 'S256',
        ...{ state: visit.state, nonce: visit.nonce },
      });
      return { kind: 'STARTED', url: url.href, visit };
    },
    finish: (query, visit) => exchange(query, visit).catch((error: unknown) => whyNot(error)),
  };
}

/** What says that the provider did not do its part; all else says that this was no answer to the visit. */
const NO_ANSWER = ['OAUTH_TIMEOUT', 'OAUTH_RESPONSE_IS_NOT_CONFORM', 'OAUTH_RESPONSE_IS_NOT_JSON'];

/** A word of OAuth 2.0. Who sends a browser back may put anything there. */
const WORD = /^[a-z_]{1,40}$/;

function whyNot(error: unknown): { readonly kind: 'REFUSED' | 'FAILED'; readonly code: string } {
  if (error instanceof Error && error.cause instanceof AnswerTooLarge) {
    return { kind: 'FAILED', code: error.cause.code };
  }
  const { code, error: said } = error as { readonly code?: unknown; readonly error?: unknown };
  if (typeof code !== 'string' || !code.startsWith('OAUTH_')) {
    return { kind: 'FAILED', code: typeof code === 'string' ? code : 'UNREACHABLE' };
  }
  const word = typeof said === 'string' && WORD.test(said) ? said : code;
  // The token endpoint refuses the code that the browser brought, or it refuses this client.
  const isOfClient = error instanceof oidc.ResponseBodyError && word !== 'invalid_grant';
  return { kind: isOfClient || NO_ANSWER.includes(code) ? 'FAILED' : 'REFUSED', code: word };
}
