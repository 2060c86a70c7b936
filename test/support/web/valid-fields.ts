/** Fields that the page of a route would send, where its form has some that have to be filled in. */
export const VALID_FIELDS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'POST /:env/payments/:paymentId/cancel': { version: '1' },
  'POST /:env/payments/:paymentId/approve': { version: '2' },
  'POST /:env/payments/:paymentId/decline': { version: '2' },
  'POST /:env/limits': {
    ...{
      key: '',
      currency: 'EUR',
      perPayment: '100.00',
      perDay: '',
      beneficiaries: 'any',
      seen: '0',
    },
  },
  'POST /:env/limits/:limitId/remove': { version: '1' },
  'POST /:env/webhooks/:id/edit': {
    ...{ url: 'http://127.0.0.1:9/hooks', description: '', types: '*', version: '1' },
  },
  'POST /:env/webhooks/:id/enable': { version: '1' },
  'POST /:env/webhooks/:id/disable': { version: '1' },
  'POST /:env/webhooks/:id/delete': { version: '1' },
  'POST /:env/webhooks/:id/rotate-secret': { version: '1', overlap: '24' },
  'POST /:env/webhooks/:id/test': { type: 'payment.completed' },
  'POST /:env/webhooks/:id/replay': { span: '24' },
  'POST /:env/keys/:keyId/rotate': { overlap: '24' },
  'POST /:env/keys/:keyId/addresses': { range: '203.0.113.7', label: 'payouts' },
  'POST /going-live/terms': { version: '1' },
  'POST /users/:id/role': { role: 'VIEWER', version: '1' },
  'POST /users/:id/disable': { version: '1' },
  'POST /users/:id/invite': { version: '1' },
  'POST /users/:id/restore': { version: '1' },
  'POST /users/:id/lost-passkeys': { version: '1' },
};
