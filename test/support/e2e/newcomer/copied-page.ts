import type { Page } from 'playwright-core';

/** A block of code, as a reader who presses its button has it on the clipboard. */
export interface CopiedBlock {
  /** The words of the heading that it stands under. */
  readonly heading: string;
  readonly text: string;
}

/** The blocks of a guide, from top to bottom, each copied by its button. The page is open. */
export async function copyBlocks(page: Page): Promise<CopiedBlock[]> {
  const buttons = page.locator('.markdown > .code button');
  const copied: CopiedBlock[] = [];
  for (const button of await buttons.all()) {
    // What is on the clipboard must be what this button put there.
    await page.evaluate(() => navigator.clipboard.writeText(''));
    await button.click();
    await page.waitForFunction(async () => (await navigator.clipboard.readText()) !== '');
    const text = await page.evaluate(() => navigator.clipboard.readText());
    const heading = await button.evaluate((element) => {
      let before = element.closest('.code')?.previousElementSibling ?? null;
      while (before !== null && !/^H[23]$/.test(before.tagName)) {
        before = before.previousElementSibling;
      }
      return before?.textContent ?? '';
    });
    copied.push({ heading, text });
  }
  return copied;
}
