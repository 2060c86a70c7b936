import type { OperatorRole } from '../../../src/domain/customers/access/operator-rights.ts';
import type { UserRole } from '../../../src/domain/customers/access/user-rights.ts';

/** Who is let in, and whether the act takes a proof of its own. */
export interface Access<Role extends string> {
  readonly roles: 'public' | readonly Role[];
  readonly takesStepUp: boolean;
}

const plain = <Role extends string>(...roles: Role[]): Access<Role> => ({
  ...{ roles, takesStepUp: false },
});
const proven = <Role extends string>(...roles: Role[]): Access<Role> => ({
  ...{ roles, takesStepUp: true },
});
const PUBLIC = { roles: 'public', takesStepUp: false } as const;

/* The table of rights as the design has it, written out: nothing here is read from the code that it judges. */
const ANY_USER = plain<UserRole>('OWNER', 'DEVELOPER', 'FINANCE', 'VIEWER');
const OWN_BY_PROOF = proven<UserRole>('OWNER', 'DEVELOPER', 'FINANCE', 'VIEWER');
const PERSONAL = plain<UserRole>('OWNER', 'FINANCE');
const CANCEL = proven<UserRole>('OWNER', 'FINANCE');
const APPROVE = proven<UserRole>('OWNER', 'FINANCE');
const TECHNICAL = proven<UserRole>('OWNER', 'DEVELOPER');
const REPLAY = plain<UserRole>('OWNER', 'DEVELOPER');
const REMOVE_ADDRESS = plain<UserRole>('OWNER', 'DEVELOPER');
const REVOKE = plain<UserRole>('OWNER', 'DEVELOPER', 'FINANCE');
const OWNER = proven<UserRole>('OWNER');
const AUDIT = plain<UserRole>('OWNER');

/** What both surfaces serve: getting in, and what is a person's own. */
function sharedRoutes<Role extends string>(allRoles: readonly Role[]) {
  const own = plain(...allRoles);
  const ownByProof = proven(...allRoles);
  return {
    'GET /health': PUBLIC,
    'GET /assets/:hash/:name': PUBLIC,
    'GET /login': PUBLIC,
    'POST /login': PUBLIC,
    'POST /login/another': PUBLIC,
    'POST /login/passkey': PUBLIC,
    'GET /login/provider': PUBLIC,
    'GET /login/provider/callback': PUBLIC,
    'GET /login/code': PUBLIC,
    'POST /login/code': PUBLIC,
    'GET /confirm-address/:token': PUBLIC,
    'POST /confirm-address/:token': PUBLIC,
    'GET /keep-address/:token': PUBLIC,
    'POST /keep-address/:token': PUBLIC,
    'POST /log-out': own,
    'GET /settings': own,
    'POST /settings/display': own,
    'POST /settings/sessions/:id/end': own,
    'POST /settings/sessions/end-others': own,
    'POST /settings/passkeys': ownByProof,
    'POST /settings/passkeys/:id/remove': ownByProof,
    'POST /settings/address': ownByProof,
    'POST /settings/address/withdraw': own,
  };
}

export const DASHBOARD_ACCESS: Readonly<Record<string, Access<UserRole>>> = {
  ...sharedRoutes(OWN_BY_PROOF.roles as readonly UserRole[]),
  'GET /request-access': PUBLIC,
  'POST /request-access': PUBLIC,
  'GET /request-access/sent': PUBLIC,
  'GET /verify/:token': PUBLIC,
  'POST /verify/:token': PUBLIC,
  'GET /': ANY_USER,
  'GET /:env/home': ANY_USER,
  'GET /:env/payments': ANY_USER,
  'GET /:env/payments.csv': PERSONAL,
  'GET /:env/payments/:paymentId': ANY_USER,
  'POST /:env/payments/:paymentId/cancel': CANCEL,
  'POST /:env/payments/:paymentId/unmask': PERSONAL,
  'POST /:env/payments/:paymentId/approve': APPROVE,
  'POST /:env/payments/:paymentId/decline': APPROVE,
  'GET /:env/limits': ANY_USER,
  'GET /:env/limits/new': OWNER,
  'POST /:env/limits': OWNER,
  'POST /:env/limits/:limitId/remove': OWNER,
  'POST /:env/limits/beneficiaries': OWNER,
  'POST /:env/limits/beneficiaries/:destinationId/remove': OWNER,
  'GET /:env/deposits': ANY_USER,
  'GET /:env/deposits/:depositId': ANY_USER,
  'GET /:env/deposit-addresses': ANY_USER,
  'GET /:env/deposit-addresses/:depositAddressId': ANY_USER,
  'GET /:env/wallets': ANY_USER,
  'GET /:env/wallets/:walletId': ANY_USER,
  'GET /:env/end-users': ANY_USER,
  'GET /:env/end-users/:endUserId': ANY_USER,
  'POST /:env/end-users/:endUserId/unmask': PERSONAL,
  'GET /:env/balances': ANY_USER,
  'GET /:env/webhooks': ANY_USER,
  'GET /:env/webhooks/new': TECHNICAL,
  'POST /:env/webhooks/new': TECHNICAL,
  'GET /:env/webhooks/:id': ANY_USER,
  'GET /:env/webhooks/:id/edit': TECHNICAL,
  'POST /:env/webhooks/:id/edit': TECHNICAL,
  'POST /:env/webhooks/:id/enable': TECHNICAL,
  'POST /:env/webhooks/:id/disable': TECHNICAL,
  'POST /:env/webhooks/:id/delete': TECHNICAL,
  'POST /:env/webhooks/:id/rotate-secret': TECHNICAL,
  'POST /:env/webhooks/:id/test': REPLAY,
  'POST /:env/webhooks/:id/replay': REPLAY,
  'GET /:env/webhooks/:id/deliveries/:eventId': ANY_USER,
  'POST /:env/webhooks/:id/deliveries/:eventId/redeliver': REPLAY,
  'GET /:env/requests': ANY_USER,
  'GET /:env/keys': ANY_USER,
  'GET /:env/keys/new': TECHNICAL,
  'POST /:env/keys': TECHNICAL,
  'GET /:env/keys/:keyId': ANY_USER,
  'GET /:env/keys/:keyId/rotate': TECHNICAL,
  'POST /:env/keys/:keyId/rotate': TECHNICAL,
  'GET /:env/keys/:keyId/revoke': REVOKE,
  'POST /:env/keys/:keyId/revoke': REVOKE,
  'GET /:env/keys/:keyId/addresses/new': TECHNICAL,
  'POST /:env/keys/:keyId/addresses': TECHNICAL,
  'GET /:env/keys/:keyId/addresses/:addressId/remove': REMOVE_ADDRESS,
  'POST /:env/keys/:keyId/addresses/:addressId/remove': REMOVE_ADDRESS,
  'GET /users': ANY_USER,
  'GET /users/:id': ANY_USER,
  'GET /users/invite': OWNER,
  'POST /users/invite': OWNER,
  'POST /users/:id/role': OWNER,
  'POST /users/:id/disable': OWNER,
  'POST /users/:id/invite': OWNER,
  'POST /users/:id/restore': OWNER,
  'POST /users/:id/lost-passkeys': OWNER,
  'POST /settings/require-passkeys': OWNER,
  'GET /going-live': ANY_USER,
  'GET /going-live/company': OWNER,
  'POST /going-live/company': OWNER,
  'POST /going-live/check': OWNER,
  'GET /going-live/terms': ANY_USER,
  'POST /going-live/terms': OWNER,
  'POST /going-live/request': OWNER,
  'GET /audit': AUDIT,
};

const ANY_OPERATOR = plain<OperatorRole>('SUPPORT', 'OPERATIONS', 'COMPLIANCE', 'ADMIN');
const OPERATIONS = proven<OperatorRole>('OPERATIONS');
const COMPLIANCE = proven<OperatorRole>('COMPLIANCE');
const ADMIN = proven<OperatorRole>('ADMIN');
const NAMES = plain<OperatorRole>('COMPLIANCE');
const OPERATORS_AUDIT = plain<OperatorRole>('COMPLIANCE', 'ADMIN');
/** What it takes beside this is the right of what is approved. */
const APPROVALS = proven<OperatorRole>('OPERATIONS', 'COMPLIANCE', 'ADMIN');

/** The page of an act and the act, which one right lets in. */
const act = (path: string, access: Access<OperatorRole>) => ({
  [`GET ${path}`]: access,
  [`POST ${path}`]: access,
});

export const CONSOLE_ACCESS: Readonly<Record<string, Access<OperatorRole>>> = {
  ...sharedRoutes(ANY_OPERATOR.roles as readonly OperatorRole[]),
  'GET /': ANY_OPERATOR,
  'GET /mails': ANY_OPERATOR,
  'GET /requests': ANY_OPERATOR,
  'GET /requests/:id': ANY_OPERATOR,
  'POST /requests/:id/approve': COMPLIANCE,
  'POST /requests/:id/decline': COMPLIANCE,
  'POST /requests/:id/invite': COMPLIANCE,
  'GET /requests/addresses': ANY_OPERATOR,
  'GET /requests/addresses/:addressId': ANY_OPERATOR,
  ...act('/requests/addresses/:addressId/propose', COMPLIANCE),
  ...act('/requests/addresses/:addressId/decline', COMPLIANCE),
  'GET /requests/live': ANY_OPERATOR,
  'GET /requests/live/:id': ANY_OPERATOR,
  ...act('/requests/live/:id/propose', COMPLIANCE),
  ...act('/requests/live/:id/decline', COMPLIANCE),
  ...act('/customers/:id/withdraw-live-access', COMPLIANCE),
  'GET /customers': ANY_OPERATOR,
  'GET /customers/:id': ANY_OPERATOR,
  ...act('/customers/:id/owner', COMPLIANCE),
  ...act('/customers/:id/suspend', COMPLIANCE),
  ...act('/customers/:id/resume', COMPLIANCE),
  'GET /approvals': ANY_OPERATOR,
  'GET /approvals/:id': ANY_OPERATOR,
  ...act('/approvals/:id/take-up', APPROVALS),
  ...act('/approvals/:id/approve', APPROVALS),
  ...act('/approvals/:id/refuse', APPROVALS),
  ...act('/approvals/:id/withdraw', APPROVALS),
  'GET /payments': ANY_OPERATOR,
  'GET /payments/:id': ANY_OPERATOR,
  ...act('/payments/:id/retry', OPERATIONS),
  ...act('/payments/:id/late-return', OPERATIONS),
  ...act('/payments/:id/void', OPERATIONS),
  ...act('/payments/:id/confirm-settled', OPERATIONS),
  ...act('/payments/:id/confirm-failed', OPERATIONS),
  'GET /deposits/:id': ANY_OPERATOR,
  'GET /release': ANY_OPERATOR,
  ...act('/release/stop', OPERATIONS),
  ...act('/release/:id/resume', OPERATIONS),
  ...act('/release/restore-begin', OPERATIONS),
  ...act('/release/restore-end', OPERATIONS),
  'GET /reconciliation': ANY_OPERATOR,
  'GET /reconciliation/credits/:id': ANY_OPERATOR,
  ...act('/reconciliation/credits/:id/assign', OPERATIONS),
  ...act('/reconciliation/credits/:id/close', OPERATIONS),
  ...act('/reconciliation/credits/:id/dismiss', OPERATIONS),
  ...act('/reconciliation/credits/:id/tie', OPERATIONS),
  'GET /reconciliation/exceptions': ANY_OPERATOR,
  'GET /reconciliation/exceptions/:id': ANY_OPERATOR,
  ...act('/reconciliation/exceptions/:id/act', OPERATIONS),
  ...act('/reconciliation/exceptions/propose', OPERATIONS),
  ...act('/reconciliation/exception-acts/:id/reverse', OPERATIONS),
  'GET /statements/:id': ANY_OPERATOR,
  ...act('/statements/:id/accept', OPERATIONS),
  ...act('/statements/:id/accept-sums', OPERATIONS),
  'GET /reviews': ANY_OPERATOR,
  'GET /reviews/:id': ANY_OPERATOR,
  ...act('/reviews/:id/refuse', COMPLIANCE),
  ...act('/reviews/:id/release', COMPLIANCE),
  ...act('/reviews/:id/names', NAMES),
  ...act('/reviews/kyc-override', COMPLIANCE),
  'GET /reviews/deposits/:id': ANY_OPERATOR,
  ...act('/reviews/deposits/:id/refuse', COMPLIANCE),
  ...act('/reviews/deposits/:id/release', COMPLIANCE),
  ...act('/reviews/deposits/:id/unblock', COMPLIANCE),
  ...act('/reviews/deposits/:id/keep', COMPLIANCE),
  'GET /reviews/wallets/:id': ANY_OPERATOR,
  ...act('/reviews/wallets/:id/refuse', COMPLIANCE),
  ...act('/reviews/wallets/:id/release', COMPLIANCE),
  'GET /operators': ANY_OPERATOR,
  ...act('/operators/:id/confirm', ADMIN),
  ...act('/operators/:id/disable', ADMIN),
  ...act('/operators/:id/lost-passkeys', COMPLIANCE),
  ...act('/owners/:id/lost-passkeys', COMPLIANCE),
  'GET /audit': OPERATORS_AUDIT,
};
