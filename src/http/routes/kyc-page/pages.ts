const page = (title: string, text: string, head = ''): string =>
  `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">${head}
<title>${title}</title>
</head>
<body>
<h1>${title}</h1>
<p>${text}</p>
</body>
</html>
`;

export const UNKNOWN_PAGE = page(
  'Unknown link',
  'This link is not known. Ask the company that sent it to you for a new one.',
);

export const EXPIRED_PAGE = page(
  'Link expired',
  'This link has expired. Ask the company that sent it to you for a new one.',
);

export const PREPARING_PAGE = page(
  'One moment',
  'Your verification is being prepared. This page goes on by itself.',
  '\n<meta http-equiv="refresh" content="1">',
);
