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
  new PageRefusal(404, 'There is no such page', 'Nothing is at this address, or it is not yours.');

export function missingRight(roles: readonly string[]): PageRefusal {
  const names = roles.map((role) => role.toLowerCase()).join(', ');
  return new PageRefusal(403, 'This takes another role', `Who may do this: ${names}.`);
}

export const suspendedCustomer = () =>
  new PageRefusal(
    403,
    'Your account is suspended',
    'You can see everything and change nothing. Nothing was changed. Ask the operator.',
  );

export const foreignHost = () =>
  new PageRefusal(421, 'Wrong address', 'This server does not answer under that name.');

export const forgedForm = () =>
  new PageRefusal(
    403,
    'This form was not accepted',
    'It did not come from a page of this site in this browser. Nothing was changed. Open the page again.',
  );

export const formSentBefore = () =>
  new PageRefusal(
    409,
    'This form was sent before',
    'It counts once, and what it did is done. Open the page again to see it.',
  );

export const formTooOld = () =>
  new PageRefusal(
    409,
    'This form is too old',
    'It was open for too long. Nothing was changed. Open the page again.',
  );

/** The session ended while its last request was under way. */
export const loggedOut = () =>
  new PageRefusal(409, 'You are logged out', 'Nothing was changed. Log in again.');

export const unreadableUrl = () =>
  new PageRefusal(
    400,
    'This link could not be read',
    'It has characters in it that no page takes.',
  );

export const unreadableForm = (text: string) =>
  new PageRefusal(400, 'This form could not be read', `${text} Nothing was changed.`);

/** Too many requests; `afterSeconds` is when the next one is taken. */
export const tooMuch = (afterSeconds: number) =>
  new PageRefusal(
    429,
    'Too many tries',
    `Try again in ${afterSeconds > 90 ? `${String(Math.ceil(afterSeconds / 60))} minutes` : `${String(afterSeconds)} seconds`}.`,
    { 'retry-after': String(afterSeconds) },
  );

export const notNow = () =>
  new PageRefusal(503, 'Not possible just now', 'Nothing was changed. Try again in a moment.', {
    'retry-after': '5',
  });

export const faultOfOurs = () =>
  new PageRefusal(500, 'Something went wrong here', 'It has been written down. Try again later.');
