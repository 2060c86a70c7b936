import { keyState, type KeyState } from '../../../../../domain/customers/keys/key-life.ts';
import { Card } from '../../../../kit/parts/card.tsx';
import { Chip } from '../../../../kit/parts/chip.tsx';
import { Facts } from '../../../../kit/parts/facts.tsx';
import { PageHead } from '../../../../kit/parts/page-head.tsx';
import { linkTo } from '../../../../kit/list-pages.ts';
import { KEY_WORDS, scopesWords } from '../../../words/key-words.ts';
import { AddressesCard } from './addresses-card.tsx';
import type { KeyPageProps } from './key-page-props.ts';
import { RefusedCard } from './refused-card.tsx';

/** One key: what it may do, from where, until when, and what can be done about it. */
export const KeyPage = (props: KeyPageProps) => {
  const { path, apiKey, now } = props;
  const state = keyState(apiKey, now);
  return (
    <>
      <PageHead
        title={apiKey.name}
        trail={{ href: path, text: 'API keys', here: apiKey.id }}
        about={ABOUT[state]}
      >
        <Chip {...KEY_WORDS[state]} />
      </PageHead>
      <div class="columns">
        <div>
          <AddressesCard {...props} isWorking={isWorking(state)} />
          <RefusedCard {...props} isWorking={isWorking(state)} />
        </div>
        <div>
          <Card title="Details">
            <KeyFacts {...props} />
          </Card>
          {isWorking(state) ? <Actions {...props} state={state} /> : null}
        </div>
      </div>
    </>
  );
};

const ABOUT: Readonly<Record<KeyState, string>> = {
  ACTIVE: 'Requests with this key are accepted.',
  REPLACED: 'A new key replaces it. Both work until this one expires.',
  EXPIRED: 'Requests with this key are refused (api_key_expired).',
  REVOKED: 'Requests with this key are refused (api_key_revoked).',
};

const isWorking = (state: KeyState): boolean => state === 'ACTIVE' || state === 'REPLACED';

const KeyFacts = ({ apiKey, path, names, times, environment }: KeyPageProps) => {
  const when = (at: Date | null): string => (at === null ? 'never' : times.moment(at));
  return (
    <Facts
      facts={[
        ['Begins with', <code>{`cw_${environment}_${apiKey.publicId}`}</code>],
        ['Ends with', <code>…{apiKey.last4}</code>],
        ['Permissions', <Scopes scopes={apiKey.scopes} />],
        ['Created by', names(apiKey.createdBy)],
        ['Created', when(apiKey.createdAt)],
        ['Last used', when(apiKey.lastUsedAt)],
        ...(apiKey.lastUsedAt === null
          ? []
          : [['Last used from', apiKey.lastUsedIp ?? 'unknown'] as const]),
        [
          'Requests',
          <a href={linkTo(`/${environment}/requests`, { key: apiKey.id })}>See its requests</a>,
        ],
        ['Expires', when(apiKey.expiresAt)],
        ...(apiKey.revokedAt === null ? [] : [['Revoked', when(apiKey.revokedAt)] as const]),
        ...(apiKey.replacedBy === null
          ? []
          : [['Replaced by', <a href={`${path}/${apiKey.replacedBy}`}>New key</a>] as const]),
      ]}
    />
  );
};

const Scopes = ({ scopes }: { readonly scopes: readonly string[] }) => {
  const words = scopesWords(scopes);
  if (!words.endsWith(' scopes')) return <>{words}</>;
  return (
    <ul>
      {scopes.map((scope) => (
        <li key={scope}>
          <code>{scope}</code>
        </li>
      ))}
    </ul>
  );
};

const Actions = ({ path, apiKey, can, state }: KeyPageProps & { readonly state: KeyState }) =>
  can.write || can.revoke ? (
    <Card title="Change this key">
      <div class="actions">
        {can.write && state === 'ACTIVE' ? (
          <a class="button" href={`${path}/${apiKey.id}/rotate`}>
            Rotate
          </a>
        ) : null}
        {can.revoke ? (
          <a class="button button-plain" href={`${path}/${apiKey.id}/revoke`}>
            Revoke
          </a>
        ) : null}
      </div>
    </Card>
  ) : null;
