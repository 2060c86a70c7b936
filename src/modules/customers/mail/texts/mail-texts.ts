import * as login from './login-texts.ts';
import * as operators from './operator-texts.ts';
import * as owners from './owner-texts.ts';
import * as users from './user-texts.ts';

/** Every mail that there is, by its kind: what `mails.kind` says. */
export const MAIL_TEXTS = {
  LOGIN_CODE: login.loginCode,
  STEP_UP_CODE: login.stepUpCode,
  NEW_DEVICE: login.newDevice,
  PASSKEY_CHANGED: login.passkeyChanged,
  INVITATION: users.invitation,
  ADDRESS_TO_VERIFY: users.addressToVerify,
  ADDRESS_CHANGE_ASKED: users.addressChangeAsked,
  ADDRESS_CHANGED: users.addressChanged,
  ROLE_CHANGED: users.roleChanged,
  REQUEST_RECEIVED: users.requestReceived,
  REQUEST_DECLINED: users.requestDeclined,
  KEY_CREATED: owners.keyCreated,
  KEY_ROTATED: owners.keyRotated,
  KEY_REVOKED: owners.keyRevoked,
  KEY_EXPIRING: owners.keyExpiring,
  RANGE_DECIDED: owners.rangeDecided,
  LIVE_ACCESS_DECIDED: owners.liveAccessDecided,
  CUSTOMER_SUSPENDED: owners.customerSuspended,
  ENDPOINT_DISABLED: owners.endpointDisabled,
  PAYMENTS_WAITING: owners.paymentsWaiting,
  OPS_REQUEST_RECEIVED: operators.opsRequestReceived,
  OPS_REQUEST_WAITING: operators.opsRequestWaiting,
  OPS_APPROVAL_WAITING: operators.opsApprovalWaiting,
  OPS_PAYMENTS_STUCK: operators.opsPaymentsStuck,
  OPS_DECISION_WAITING: operators.opsDecisionWaiting,
  OPS_MONEY_WAITING: operators.opsMoneyWaiting,
  OPS_OVERDUE: operators.opsOverdue,
  OPS_OPERATOR_ADDED: operators.opsOperatorAdded,
} as const;

export type MailKind = keyof typeof MAIL_TEXTS;

/** What a mail of the kind is told. */
export type MailFacts<Kind extends MailKind> = Parameters<(typeof MAIL_TEXTS)[Kind]>[0];
