/** A page that is used with the keyboard alone. */
import type { Locator, Page } from 'playwright-core';

/** Name of the control that has the focus; of a choice, that of its group. */
const FOCUSED = `(({ activeElement: one }) =>
  (one.type === 'radio' && one.closest('fieldset').querySelector('legend').textContent) ||
  one.getAttribute('aria-label') || (one.labels?.[0] ?? one).textContent.trim())(document)`;

export function keyboardOf(page: () => Page) {
  /** Presses a key until the control of this name has the focus. */
  const tabTo = async (name: string | RegExp, key = 'Tab') => {
    for (let step = 0; step < 120; step++) {
      const focused = (await page().evaluate(FOCUSED)) as string;
      if (typeof name === 'string' ? focused === name : name.test(focused)) return;
      await page().keyboard.press(key);
    }
    throw new Error(`${key} does not come to ${name}.`);
  };
  const isThere = (locator: Locator) => locator.first().waitFor();
  return {
    tabTo,
    /** Waits for a button or a link that can be used, and presses Enter on it. */
    async press(name: string | RegExp, key?: string) {
      const one = { name, exact: true };
      await isThere(
        page()
          .getByRole('button', { ...one, disabled: false })
          .or(page().getByRole('link', one)),
      );
      await tabTo(name, key);
      await page().keyboard.press('Enter');
    },
    async type(name: string | RegExp, text: string) {
      await tabTo(name);
      await page().keyboard.press('Control+a');
      await page().keyboard.type(text);
    },
  };
}
