/** A request that is answered with a page of its own instead of the one that was asked for. */
export class PageRefusal extends Error {
  readonly status: number;
  /** The page's heading. */
  readonly title: string;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    status: number,
    title: string,
    text: string,
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(text);
    this.name = 'PageRefusal';
    this.status = status;
    this.title = title;
    this.headers = headers;
  }
}

/** Of a missing page, and of one that another customer has: the two cannot be told apart. */
export const noSuchPage = () =>
  new PageRefusal(
    404,
    'Page not found',
    'This page does not exist, or you do not have access to it.',
  );

export function missingRight(roles: readonly string[]): PageRefusal {
  const names = roles.map((role) => role.toLowerCase()).join(', ');
  return new PageRefusal(403, 'You need another role', `Roles that can do this: ${names}.`);
}

export const suspendedCustomer = () =>
  new PageRefusal(
    403,
    'Your account is suspended',
    'Nothing was changed. You can see your data, but you cannot change it. Contact the operator.',
  );

export const foreignHost = () =>
  new PageRefusal(421, 'Wrong address', 'This server does not answer under that name.');

export const forgedForm = () =>
  new PageRefusal(
    403,
    'This form was not accepted',
    'Nothing was changed. The form did not come from a page of this site in this browser. Open the page again.',
  );

export const loginIsOver = () =>
  new PageRefusal(
    422,
    'You are not logged in',
    'The login was canceled, took too long, or was started in another browser. Open the login page again.',
  );

export const formSentBefore = () =>
  new PageRefusal(
    409,
    'This form was already sent',
    'A form takes effect once. Open the page again to see the result.',
  );

export const formTooOld = () =>
  new PageRefusal(
    409,
    'This form expired',
    'Nothing was changed. The page was open for too long. Open it again.',
  );

/** The session ended while its last request was under way. */
export const loggedOut = () =>
  new PageRefusal(409, 'You are logged out', 'Nothing was changed. Log in again.');

export const unreadableUrl = () =>
  new PageRefusal(
    400,
    'This link could not be read',
    'The link contains characters that are not allowed.',
  );

export const unreadableForm = (text: string) =>
  new PageRefusal(400, 'This form could not be read', `${text} Nothing was changed.`);

/** Too many requests; `afterSeconds` is when the next one is taken. */
export const tooMuch = (afterSeconds: number) =>
  new PageRefusal(
    429,
    'Too many attempts',
    `Try again in ${afterSeconds > 90 ? `${String(Math.ceil(afterSeconds / 60))} minutes` : `${String(afterSeconds)} seconds`}.`,
    { 'retry-after': String(afterSeconds) },
  );

export const notNow = () =>
  new PageRefusal(503, 'Temporarily not possible', 'Nothing was changed. Try again in a moment.', {
    'retry-after': '5',
  });

export const faultOfOurs = () =>
  new PageRefusal(500, 'Something went wrong', 'The error was logged. Try again later.');
