import type { ApiKeyRow } from '../../../../../db/customers/api-key-list-store.ts';
import type { RefusedAddress } from '../../../../../db/customers/api-request-store.ts';
import type { KeyAddressRow } from '../../../../../db/customers/key-address-store.ts';
import type { Environment } from '../../../../../domain/scope.ts';
import type { TimeText } from '../../../../kit/time-text.ts';
import type { ActorNames } from '../../../parts/actor-names.ts';

/** What the page of one key shows. */
export interface KeyPageProps {
  /** Of the list. */
  readonly path: string;
  readonly environment: Environment;
  readonly apiKey: ApiKeyRow;
  readonly addresses: readonly KeyAddressRow[];
  /** From where it was refused, the latest first. */
  readonly refused: readonly RefusedAddress[];
  readonly names: ActorNames;
  readonly times: TimeText;
  readonly now: Date;
  /** What is offered to who looks. */
  readonly can: Readonly<Record<'write' | 'revoke' | 'propose' | 'remove', boolean>>;
}
