import type { Children } from '../../kit/parts/types.ts';
import type { DocsAssets } from '../docs-assets.ts';

/** The whole of a page, head included: the dashboard's style and the site's own, and one script. */
export const DocsDocument = (props: {
  readonly title: string;
  readonly description: string;
  readonly assets: DocsAssets;
  readonly children: Children;
}) => (
  <html lang="en">
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <meta name="description" content={props.description} />
      <title>{`${props.title} · Causeway docs`}</title>
      <link rel="icon" href={props.assets.icon.url} type="image/svg+xml" />
      <link rel="stylesheet" href={props.assets.tokens.url} />
      <link rel="stylesheet" href={props.assets.css.url} />
      <script src={props.assets.script.url} defer />
    </head>
    <body>{props.children}</body>
  </html>
);
