/** How long an invitation's link is good, in ms. */
export const INVITATION_LIFE_MS = 7 * 24 * 3_600_000;

/** 256 bits as base64url. */
const TOKEN = /^[A-Za-z0-9_-]{43}$/;

/** Has this text the form of a link's token? Says nothing of whether there is such an invitation. */
export const isInvitationToken = (text: string): boolean => TOKEN.test(text);
