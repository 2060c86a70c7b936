import type { Locator, Page } from 'playwright-core';
import { until } from '../../until.ts';

/** How long a page may take on a machine that runs other tests meanwhile, in milliseconds. */
const LOAD_MS = 30_000;
const TABS_MAX = 300;

/** Who uses pages: one with the keyboard alone, the other with a pointer. */
export interface Visitor {
  readonly page: Page;
  open(url: string): Promise<void>;
  fill(label: string, text: string): Promise<void>;
  choose(label: string, option: string): Promise<void>;
  tick(label: string): Promise<void>;
  /** Presses a button that sends a form, and waits for the page that answers. */
  press(name: string): Promise<void>;
  /** Follows a link to another page. */
  follow(name: string | RegExp): Promise<void>;
}

/** What both do alike: they find a control by its role and name, as a screen reader says it. */
function controls(page: Page) {
  return {
    field: (label: string) => page.getByLabel(label, { exact: true }),
    button: (name: string) => page.getByRole('button', { name, exact: true }).first(),
    link: (name: string | RegExp) =>
      page
        .getByRole('link', { name, ...(typeof name === 'string' ? { exact: true } : {}) })
        .first(),
    /** Acts, and waits for the page that comes of it: what was left is marked. */
    async loads(act: () => Promise<unknown>): Promise<void> {
      await page.evaluate(() => {
        document.documentElement.dataset['left'] = '';
      });
      await act();
      await until(
        `a page after ${page.url()}`,
        () =>
          page
            .evaluate(
              () =>
                document.readyState === 'complete' &&
                document.documentElement.dataset['left'] === undefined,
            )
            // Between two pages there is none to ask.
            .then(
              (isThere) => isThere || null,
              () => null,
            ),
        LOAD_MS,
      );
    },
    async open(url: string): Promise<void> {
      await page.goto(url, { timeout: LOAD_MS });
    },
  };
}

/** Without JavaScript, as pages promise to work. */
export function withPointer(page: Page): Visitor {
  const { field, button, link, loads, open } = controls(page);
  return {
    ...{ page, open },
    fill: (label, text) => field(label).fill(text),
    choose: async (label, option) => {
      await field(label).selectOption({ label: option });
    },
    tick: (label) => field(label).check(),
    press: (name) => loads(() => button(name).click()),
    follow: (name) => loads(() => link(name).click()),
  };
}

/** Tab, Enter, Space, arrows and letters; what has focus must be seen to have it. */
export function withKeyboard(page: Page): Visitor {
  const { field, button, link, loads, open } = controls(page);
  const { keyboard } = page;
  const isFocused = (target: Locator) =>
    target.evaluate((found) => found === document.activeElement);

  async function tabTo(target: Locator): Promise<void> {
    await target.waitFor({ timeout: LOAD_MS });
    for (let tabs = 0; !(await isFocused(target)); tabs += 1) {
      if (tabs === TABS_MAX) throw new Error(`${String(target)} is not reached by Tab`);
      await keyboard.press('Tab');
    }
    // A row's link shows it around the whole row.
    const isSeen = await target.evaluate((found) =>
      [getComputedStyle(found), getComputedStyle(found, '::after')].some(
        ({ outlineStyle, outlineWidth }) => outlineStyle !== 'none' && outlineWidth !== '0px',
      ),
    );
    if (!isSeen) throw new Error(`${String(target)} does not show its focus`);
  }

  /** Of a group of choices only the ticked one is reached by Tab; arrows lead to the others. */
  async function tickRadio(target: Locator): Promise<void> {
    const name = (await target.getAttribute('name')) ?? '';
    const ticked = page.locator(`input[type=radio][name="${name}"]:checked`);
    await tabTo(ticked);
    for (let arrows = 0; !(await target.isChecked()); arrows += 1) {
      if (arrows === TABS_MAX) throw new Error(`${String(target)} is not reached by arrows`);
      await keyboard.press('ArrowDown');
    }
  }

  return {
    ...{ page, open },
    async fill(label, text) {
      const target = field(label);
      await tabTo(target);
      if ((await target.getAttribute('type')) === 'date') {
        // A day is typed as Chromium's own language writes it, part by part.
        const [year = '', month = '', day = ''] = text.split('-');
        await keyboard.type(month + day + year);
      } else {
        await keyboard.press('Control+A');
        await keyboard.type(text);
      }
      if ((await target.inputValue()) !== text) throw new Error(`${label} did not take ${text}`);
    },
    async choose(label, option) {
      const target = field(label);
      await tabTo(target);
      await keyboard.type(option);
      const chosen = await target.evaluate(
        (found) => (found as unknown as HTMLSelectElement).selectedOptions[0]?.textContent,
      );
      if (chosen !== option) throw new Error(`${label} has ${String(chosen)}`);
    },
    async tick(label) {
      const target = field(label);
      if ((await target.getAttribute('type')) === 'radio') return tickRadio(target);
      await tabTo(target);
      if (!(await target.isChecked())) await keyboard.press('Space');
    },
    async press(name) {
      await tabTo(button(name));
      await loads(() => keyboard.press('Space'));
    },
    async follow(name) {
      await tabTo(link(name));
      await loads(() => keyboard.press('Enter'));
    },
  };
}
