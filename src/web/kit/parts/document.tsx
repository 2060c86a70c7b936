import type { Asset } from '../assets/asset.ts';
import type { Theme } from '../../../domain/customers/access/person.ts';
import type { Children } from './types.ts';

/** The whole of a page, head included. One style sheet and one script, both our own. */
export const Document = (props: {
  readonly title: string;
  readonly assets: Readonly<Record<'css' | 'script' | 'icon', Asset>>;
  readonly theme?: Theme;
  readonly children: Children;
}) => (
  <html lang="en" data-theme={fixedTheme(props.theme)}>
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="robots" content="noindex" />
      <meta name="color-scheme" content={fixedTheme(props.theme) ?? 'light dark'} />
      <title>{`${props.title} · Causeway`}</title>
      <link rel="icon" href={props.assets.icon.url} type="image/svg+xml" />
      <link rel="stylesheet" href={props.assets.css.url} />
      <script src={props.assets.script.url} defer />
    </head>
    <body>{props.children}</body>
  </html>
);

const fixedTheme = (theme: Theme = 'auto'): 'light' | 'dark' | undefined =>
  theme === 'auto' ? undefined : theme;
