/**
 * Recognises texts that programs write for a missing value: errors of spreadsheets such as `#N/A`, the `null` of
 * databases and programming languages, and markers of templates.
 */

/** Maximum length of a placeholder, in UTF-16 units. */
const MAX_LENGTH = 40;

/** Errors of spreadsheets, such as `#REF!`, `#N/D`, `#####` and `Err:502`. Many are translated: `#¿NOMBRE?`. */
const OF_SPREADSHEETS =
  /^(?:#[¡¿]?[\p{L}\d/_]+[!?]|#\p{L}{1,2}\/\p{L}+|#(?:NV|HIÁNYZIK|YOK|GETTING_DATA|REF|ERROR|VALUE|DELETED)|#{2,}|Err:\d{3})$/iu;

/** Null in databases and programming languages. Case-sensitive, since `Nan` and `Null` may be names. */
const OF_PROGRAMS =
  /^(?:\\N|NULL|undefined|NaN|0000-00-00(?:[T ]00:00:00)?|[([<](?:null|NULL|none|None|nil)[)\]>]|\[object Object\])$/;

/** Template markers, which remain if nobody filled in the template or a value was missing. */
const OF_TEMPLATES = /^(?:\{\{.*\}\}|\{%.*%\}|\$\{.*\}|%[A-Z][A-Z_]*%|<no value>|<nil>)$/;

/**
 * Words for "no value", in any letter case. An author may also mean them literally. `ND`, `N.D.` and `NC` are left out,
 * since they also abbreviate names of US states.
 */
const DOUBTFUL: ReadonlySet<string> = new Set(
  [
    'none|undefined|not available|not applicable|not specified|unknown|no data|n/a|n.a.',
    'keine|keine angabe|keine angaben|keine daten|nicht verfügbar|nicht vorhanden|unbekannt',
    'aucune|non disponible|non renseigné|sans objet|inconnu',
    'ninguno|ninguna|sin datos|no disponible|no aplica|desconocido',
    'nessuno|nessuna|non disponibile|non applicabile|sconosciuto',
    'geen|niet beschikbaar|niet van toepassing|onbekend|n.v.t.',
    'nenhum|nenhuma|sem dados|não disponível|não aplicável|desconhecido',
    'brak danych|nie dotyczy|nieznany|nieznane',
  ].flatMap((words) => words.split('|')),
);

/** Case matters here, since `Nan`, `Nil`, `Aucun` and `Brak` are names of places. */
const EXACT: ReadonlySet<string> = new Set(
  'null|nil|NIL|nan|NAN|tba|TBA|tbd|TBD|todo|TODO|aucun|brak|b.d.|n.d.|n/d|N/D|s/d|S/D|nvt|k.A.|k. A.'.split(
    '|',
  ),
);

const FIRST = [...DOUBTFUL, ...EXACT].map((word) => word.slice(0, 3).replaceAll('.', '\\.'));

/** The start of every placeholder. Most texts do not match and need no other test. */
const START = new RegExp(`^(?:[–—−…#(.<?[\\\\_|~*/{$%-]|Err:|0000-|${[...new Set(FIRST)].join('|')})`, 'i');

export function mayBePlaceholder(text: string): boolean {
  return text.length <= MAX_LENGTH && START.test(text);
}

export function isPlaceholder(text: string): boolean {
  return mayBePlaceholder(text) && [OF_SPREADSHEETS, OF_PROGRAMS, OF_TEMPLATES].some((one) => one.test(text));
}

/** Punctuation in place of a text, such as `--`, except `~`, which YAML reads as null. */
const PUNCTUATION = /^(?!~$)[-–—−_.…?*/\\|~]+$/;

export function isDoubtfulPlaceholder(text: string): boolean {
  return (
    mayBePlaceholder(text) && (DOUBTFUL.has(text.toLowerCase()) || EXACT.has(text) || PUNCTUATION.test(text))
  );
}
