import type { RequestOptions } from '../call-options.ts';
import type { KeyClosing, KeyToClose } from '../generated/schemas.ts';
import { Resource } from './resource.ts';

/** `causeway.idempotencyKeys`: what became of a key whose answers were lost. */
export class IdempotencyKeys extends Resource {
  /**
   * Closes a key for ever if nothing was done with it; else says what was. After `CLOSED` it is safe to pay in another
   * way. A payment in the answer counts as not paid only by its final `status` and its `fundsStatus`.
   */
  close(body: KeyToClose, options?: RequestOptions): Promise<KeyClosing> {
    return this.api.send('closeIdempotencyKey', { body }, options);
  }
}
