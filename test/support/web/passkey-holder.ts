import { newId } from '../../../src/db/client/new-id.ts';
import { insertPasskey } from '../../../src/db/customers/passkey-store.ts';
import { createTestAuthenticator } from '../test-authenticator.ts';
import type { TestPeopleDeps } from '../test-people.ts';
import { hiddenFields } from './site-client.ts';

const UNESCAPED = { '&quot;': '"', '&amp;': '&' } as const;

/** Gives a person a passkey of a site; it answers what pages of the site ask, once. */
export async function givePasskey(
  { people, clock }: Pick<TestPeopleDeps, 'people' | 'clock'>,
  origin: string,
  person: { readonly id: string; readonly customerId: string | null },
) {
  const authenticator = createTestAuthenticator(origin);
  const { credentialId, publicKey } = authenticator;
  const isStored = await people.system((tx) =>
    insertPasskey(tx, {
      ...{ id: newId('psk'), credentialId, publicKey, counter: 0n, transports: [] },
      ...{ personId: person.id, customerId: person.customerId, browser: 'Firefox on Linux' },
      createdAt: clock.now(),
    }),
  );
  if (!isStored) throw new Error(`${person.id} got no passkey`);
  return {
    /** The form of a page that asks for a passkey, filled in. */
    answer(html: string, action: string): URLSearchParams {
      const [, quoted = ''] = /data-options="([^"]*)"/.exec(html) ?? [];
      const text = quoted.replace(
        /&(?:quot|amp);/g,
        (entity) => UNESCAPED[entity as keyof typeof UNESCAPED],
      );
      const { challenge } = JSON.parse(text) as { readonly challenge: string };
      const said = authenticator.assert(challenge);
      const id = credentialId.toString('base64url');
      const response = {
        authenticatorData: said.authenticatorData.toString('base64url'),
        clientDataJSON: said.clientData.toString('base64url'),
        signature: said.signature.toString('base64url'),
      };
      const fields = hiddenFields(html, action);
      fields.set(
        'passkey',
        JSON.stringify({
          ...{ id, rawId: id, type: 'public-key', clientExtensionResults: {}, response },
        }),
      );
      return fields;
    },
  };
}

export type PasskeyHolder = Awaited<ReturnType<typeof givePasskey>>;
