import { declaredTerms } from '../../contract/terms.ts';
import { type ChangedFile, summarizeChange } from '../../editor/changes.ts';
import { isPropertyFilePath } from '../../source/content-path.ts';
import { escapeControls } from '../../text/printable.ts';
import { cutText } from '../../text/shorten.ts';
import type { Session } from '../session/session.ts';
import { toChangedFile } from './changes-response.ts';
import { git, gitList } from './git.ts';
import { committedFile } from './git-objects.ts';

const MAX_NAMED = 12;

const KINDS: Readonly<Record<string, ChangedFile['kind']>> = { A: 'added', D: 'removed' };

/**
 * Returns a sentence for each author, such as "Ben: changed title of Rose Cottage; removed Lighthouse Loft." Names at
 * most {@link MAX_NAMED} properties, then adds "And 3 more."
 */
export async function describeIncomingChanges(session: Session, upstream: string): Promise<string[]> {
  const { content } = session;
  const terms = declaredTerms(session.configuration());
  const options = ['--no-renames', '--relative', '-z'];
  const diff = ['diff', ...options, '--name-status', `HEAD...${upstream}`, '--', '.'];
  const states = await gitList(content, diff);
  const base = (await git(content, ['merge-base', 'HEAD', upstream])).trim();
  const authors = ['log', '--no-merges', '--no-show-signature', '--format=%an'];
  const people = new Map<string, string[]>();
  let named = 0;
  for (let place = 0; place + 1 < states.length; place += 2) {
    const [state = '', path = ''] = states.slice(place, place + 2);
    if (!isPropertyFilePath(path) || named === MAX_NAMED) continue;
    named++;
    const kind = KINDS[state] ?? 'changed';
    const before = await committedFile(content, base, path);
    const after = await committedFile(content, upstream, path);
    const change = toChangedFile(path, kind, before, after, terms);
    const log = [...authors, `HEAD..${upstream}`, '--', path];
    const names = [...new Set((await git(content, log)).split('\n').filter(Boolean))].reverse();
    const who = escapeControls(cutText(names.join(' and '), 100));
    const what = `${kind} ${escapeControls(summarizeChange({ ...change, kind }))}`;
    people.set(who, [...(people.get(who) ?? []), what]);
  }
  const sentences = [...people].map(([who, what]) => `${who}: ${what.join('; ')}.`);
  const others =
    states.filter((_, place) => place % 2 === 1 && isPropertyFilePath(states[place]!)).length - named;
  return others > 0 ? [...sentences, `And ${others} more.`] : sentences;
}
