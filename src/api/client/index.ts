export { Causeway } from './causeway.ts';
export {
  CausewayApiError,
  CausewayCallError,
  CausewayConnectionError,
  CausewayError,
  CausewayWebhookError,
} from './errors.ts';
export type {
  ConnectionFault,
  ErrorCode,
  ErrorDetail,
  FailedCall,
  WebhookFault,
} from './errors.ts';
export { List } from './list.ts';
export { webhooks } from './webhooks.ts';
export type {
  EventOf,
  EventType,
  RawWebhookBody,
  VerifyOptions,
  WebhookHeaders,
} from './webhooks.ts';
export type {
  KeyedOptions,
  KeyedVersionedOptions,
  RequestOptions,
  VersionedOptions,
} from './call-options.ts';
export type { Attempt, CausewayOptions, ClientClock, Fetch } from './options.ts';
export type { Answer, Item, ListId, OperationId, Query } from './operation-types.ts';
export type { Page, Paging } from './page.ts';
export type * from './generated/schemas.ts';
