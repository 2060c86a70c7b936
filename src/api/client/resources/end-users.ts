import type {
  KeyedOptions,
  KeyedVersionedOptions,
  RequestOptions,
  VersionedOptions,
} from '../call-options.ts';
import type { EndUser, EndUserPatch, KycCheck, NewEndUser } from '../generated/schemas.ts';
import type { List } from '../list.ts';
import type { Body, Query } from '../operation-types.ts';
import { Resource } from './resource.ts';

/** `causeway.endUsers`: the people and businesses that are paid for. */
export class EndUsers extends Resource {
  create(endUser: NewEndUser, options?: KeyedOptions): Promise<EndUser> {
    return this.api.send('createEndUser', { body: endUser }, options);
  }

  get(endUserId: string, options?: RequestOptions): Promise<EndUser> {
    return this.api.send('getEndUser', { path: { endUserId } }, options);
  }

  /** The newest first. */
  list(filters?: Query<'listEndUsers'>, options?: RequestOptions): List<EndUser> {
    return this.api.list('listEndUsers', { query: filters }, options);
  }

  /**
   * Changes what the patch names: null clears, what is left out stays. Without `ifVersion` it is not
   * sent again where an answer was lost, as it might write over a newer change.
   */
  update(endUserId: string, patch: EndUserPatch, options?: VersionedOptions): Promise<EndUser> {
    return this.api.send('updateEndUser', { path: { endUserId }, body: patch }, options);
  }

  /** For good: nothing is paid for them any more. */
  close(endUserId: string, options?: VersionedOptions): Promise<void> {
    return this.api.send('closeEndUser', { path: { endUserId } }, options);
  }

  /** Erases everything personal of an end-user who is CLOSED. */
  erase(endUserId: string, options?: KeyedVersionedOptions): Promise<EndUser> {
    return this.api.send('eraseEndUser', { path: { endUserId } }, options);
  }
}

/** `causeway.kyc`: checks of end-users. */
export class Kyc extends Resource {
  /** Starts a check; `link.url` of the answer is for the end-user. */
  start(endUserId: string, kyc?: Body<'startKyc'>, options?: KeyedOptions): Promise<KycCheck> {
    return this.api.send('startKyc', { path: { endUserId }, body: kyc }, options);
  }

  /** The newest check of an end-user. */
  get(endUserId: string, options?: RequestOptions): Promise<KycCheck> {
    return this.api.send('getKyc', { path: { endUserId } }, options);
  }
}
