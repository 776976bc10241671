import { type ImportFinding, warningFinding } from '../finding.ts';

type Price = { readonly at: string; readonly name: string; readonly text: string };

export function createPriceSpreadCheck() {
  const prices = new Map<string, readonly [low: Price, high: Price]>();
  return {
    add({ at, name }: Omit<Price, 'text'>, property: object): void {
      const { price_from: text = '', currency = '' } = property as Record<string, string>;
      if (!(Number(text) > 0)) return;
      const price = { at, name, text };
      const [low, high] = prices.get(currency) ?? [price, price];
      const isLow = Number(text) < Number(low.text);
      prices.set(currency, isLow ? [price, high] : [low, Number(text) > Number(high.text) ? price : high]);
    },
    /** Returns a warning for each currency whose highest price is at least 100 times its lowest. */
    findings: (): (Omit<Price, 'text'> & { readonly findings: readonly ImportFinding[] })[] =>
      [...prices].flatMap(([currency, [{ at, name, text }, high]]) => {
        if (Number(high.text) < 100 * Number(text)) return [];
        const message = `The lowest price is ${text} ${currency}; the highest is ${high.text}, of ${high.name}, ${high.at}.`;
        const help = 'If one of them is wrong, look at the decimals of the column.';
        return [{ at, name, findings: [warningFinding('price-spread', message, help, 'price_from')] }];
      }),
  };
}
