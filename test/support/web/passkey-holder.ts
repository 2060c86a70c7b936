import { newId } from '../../../src/db/client/new-id.ts';
import { ID_PREFIXES } from '../../../src/domain/ids.ts';
import { insertPasskey } from '../../../src/db/customers/passkey-store.ts';
import { createTestAuthenticator } from '../test-authenticator.ts';
import type { TestPeopleDeps } from '../test-people.ts';
import { hiddenFields } from './site-client.ts';

const UNESCAPED = { '&quot;': '"', '&amp;': '&' } as const;

/** Someone with a passkey of a site that no person there has. It answers what pages of the site ask, once. */
export function createPasskeyHolder(origin: string) {
  const authenticator = createTestAuthenticator(origin);
  const { credentialId, publicKey } = authenticator;
  return {
    ...{ credentialId, publicKey },
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

export type PasskeyHolder = ReturnType<typeof createPasskeyHolder>;

/** Gives a person a passkey of a site. */
export async function givePasskey(
  { people, clock }: Pick<TestPeopleDeps, 'people' | 'clock'>,
  origin: string,
  person: { readonly id: string; readonly customerId: string | null },
): Promise<PasskeyHolder> {
  const holder = createPasskeyHolder(origin);
  const { credentialId, publicKey } = holder;
  const isStored = await people.system((tx) =>
    insertPasskey(tx, {
      ...{ id: newId(ID_PREFIXES.passkey), credentialId, publicKey, counter: 0n, transports: [] },
      ...{ personId: person.id, customerId: person.customerId, browser: 'Firefox on Linux' },
      createdAt: clock.now(),
    }),
  );
  if (!isStored) throw new Error(`${person.id} got no passkey`);
  return holder;
}
