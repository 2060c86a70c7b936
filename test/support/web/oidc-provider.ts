import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:http';
import { Provider } from 'oidc-provider';
import { createLoginProvider } from '../../../src/adapters/oidc/login-provider.ts';

/** What the provider says of an account. */
export interface ProviderAccount {
  readonly email: string;
  readonly isVerified: boolean;
  readonly groups: readonly string[];
}

const CLIENT = { clientId: 'causeway', clientSecret: 'a-secret-of-the-tests-alone' };

/**
 * An OpenID Connect provider on a port of this machine, with the login pages that oidc-provider has for trying it out:
 * a person is who they say they are.
 */
export async function startOidcProvider(accounts: ReadonlyMap<string, ProviderAccount>) {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const issuer = `http://127.0.0.1:${String(port)}`;
  const redirectUrls: string[] = [];
  let handle: ReturnType<Provider['callback']> | null = null;
  const open = () => {
    const provider = new Provider(issuer, {
      clients: [
        {
          client_id: CLIENT.clientId,
          client_secret: CLIENT.clientSecret,
          redirect_uris: [...redirectUrls],
        },
      ],
      claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['groups'] },
      // The claims are in the ID token, and not only at the userinfo endpoint.
      conformIdTokenClaims: false,
      cookies: { keys: ['a key of the tests alone'] },
      findAccount: (_context, id) => {
        const account = accounts.get(id);
        if (account === undefined) return undefined;
        const { email, isVerified, groups } = account;
        return {
          accountId: id,
          claims: () => ({ sub: id, email, email_verified: isVerified, groups: [...groups] }),
        };
      },
    });
    handle = provider.callback();
  };
  server.on('request', (request, response) => {
    void handle?.(request, response);
  });
  return {
    issuer,
    /** The provider as the pages know it, for the URL that leads back. */
    createLogin: (redirectUrl: string, more: { isOnly?: boolean; roles?: string } = {}) => {
      redirectUrls.push(redirectUrl);
      open();
      return createLoginProvider(
        {
          ...{ ...CLIENT, issuer, name: 'Example ID', roleClaim: 'groups' },
          ...{ isOnly: more.isOnly ?? false, roles: more.roles },
        },
        redirectUrl,
      );
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
