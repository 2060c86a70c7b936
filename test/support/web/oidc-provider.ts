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
    /** Goes through the provider's pages as that account, and answers the URL that they lead back to. */
    logInThere: (url: string, account: string) => followPages(issuer, url, account),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** The pages ask for the account, then for its consent; each is sent by the form that it has. */
async function followPages(issuer: string, url: string, account: string): Promise<string> {
  const cookies = new Map<string, string>();
  let next = url;
  let form: URLSearchParams | null = null;
  while (next.startsWith(issuer)) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const body: RequestInit = form === null ? {} : { method: 'POST', body: form };
    const answer: Response = await fetch(next, {
      ...body,
      redirect: 'manual',
      headers: { cookie },
    });
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    const to = answer.headers.get('location');
    if (to === null) {
      const prompt: string | undefined = /name="prompt" value="(\w+)"/.exec(
        await answer.text(),
      )?.[1];
      if (prompt === undefined) throw new Error(`the provider answers ${String(answer.status)}`);
      form = new URLSearchParams({ prompt, login: account, password: 'any' });
    } else {
      next = new URL(to, next).href;
      form = null;
    }
  }
  return next;
}
