const TOTAL =
  /^(?:(?:grand|sub|grand-)?[- ]?totals?|sum|sums|summe|zwischensumme|gesamtsumme|gesamt|insgesamt|total(?:e|es|i)?(?: g[ée]n[ée]ral)?|sous-total|somme|suma|subtotale|somma|totaal|subtotaal|som|soma|razem|łącznie|ogółem|Σ|∑|in totaal|totaal aantal|gesamtzahl|gesamtanzahl|au total|en total|in totale|total geral|liczba|ilość|ø|average|durchschnitt|moyenne|promedio|media|gemiddelde|média|średnia|anzahl|count|nombre|cantidad|aantal)(?:\s*[:(=\d].{0,30})?$/iu;
const NUMBER = /^[-−+(]?\s*(?:(?:\p{Sc}|[A-Z]{3})\s*)?\d[\d.,'’\s]*(?:\p{Sc}|%|[A-Z]{3}|m²|qm)?\)?$/u;
/** Matches "90 houses". */
const COUNT = /^\d[\d.,]*\s\p{L}{2,}(?:\s\p{L}+)?$/u;

/**
 * Whether a row has only numbers, counts, words such as "Total", and at least as many empty cells as numbers. Without
 * such a word, it must have no counts, begin with an empty cell and have more empty cells than numbers. Cells that are
 * missing up to the width are empty.
 */
export function isTotalsRow(row: readonly unknown[], width = row.length): boolean {
  let numbers = 0;
  let counts = 0;
  let words = 0;
  let empties = width - row.length;
  let isLed = false;
  for (const value of row) {
    if (value === '' || value === null || value === undefined) {
      empties++;
      if (numbers + counts + words === 0) isLed = true;
      continue;
    }
    if (typeof value === 'object') return false;
    const text = String(value).trim();
    if (NUMBER.test(text)) numbers++;
    else if (TOTAL.test(text)) words++;
    else if (COUNT.test(text)) counts++;
    else return false;
  }
  if (words > 0) return empties >= numbers + counts;
  return counts === 0 && numbers > 0 && isLed && empties > numbers;
}
