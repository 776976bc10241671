/**
 * Bugs to plant into the real sources, to prove that the simulation finds bugs. Each is a change that a developer might
 * make, or has made.
 */
import type { Change } from './bundle.ts';

export type Mutant = {
  readonly name: string;
  /** Consequence, for people. */
  readonly what: string;
  readonly changes: readonly Change[];
};

const mutant = (
  name: string,
  what: string,
  ...changes: [file: string, from: string, to: string][]
): Mutant => ({
  name,
  what,
  changes: changes.map(([file, from, to]) => ({ file, from, to })),
});

/**
 * Each is found by one of 10,000 schedules. Rarer bugs have tests of their own: a prune that ignores a promise
 * (`promised-releases.test.ts`), or a partial release that lists a detail (`prune.test.ts`); a first publisher that decides
 * too early (`publish.test.ts`).
 */
export const MUTANTS: readonly Mutant[] = [
  mutant('unlimited-writes', 'writes are not bounded by the lock', [
    'storage/locked-bucket.ts',
    'bucket.write(key, body, headers, condition)',
    'unlocked.write(key, body, headers, condition)',
  ]),
  mutant('unlimited-removals', 'removals are not bounded by the lock', [
    'storage/locked-bucket.ts',
    'bucket.remove(keys)',
    'unlocked.remove(keys)',
  ]),
  mutant('removal-timeless', 'a response to a removal does not tell the time', [
    'storage/locked-bucket.ts',
    'observe(() => bucket.remove(keys))',
    'bucket.remove(keys)',
  ]),
  mutant('unlimited-parts', 'objects that are sent in parts are not bounded by the lock', [
    'storage/locked-bucket.ts',
    'bucket.writeLarge!(key, body, headers)',
    'unlocked.writeLarge!(key, body, headers)',
  ]),
  mutant('no-ready-in-retry', 'an attempt that follows is made whatever became of the lock', [
    'storage/lock-handle.ts',
    'return !isExclusive || (beat !== outdated && elapsedAtMost(host, beat.sent) < PERMIT_DURATION);',
    'return true;',
  ]),
  mutant('own-clocks-only', 'a machine whose clocks stood still does not learn it from the store', [
    'storage/lock-handle.ts',
    'if (beat && storeTime - beat.asked >= PERMIT_DURATION) outdated = beat;',
    '',
  ]),
  mutant(
    'signed-unseen',
    'an end counts from the last observed response, which a paused machine got long ago',
    ['storage/lock-handle.ts', '      signed(storeTime);\n', ''],
  ),
  mutant(
    'entry-replaced',
    'an entry that a late request created in the place of a removed one counts as sound',
    ['storage/lock-log.ts', 'isDamaged: isReplaced || number', 'isDamaged: number'],
  ),
  mutant('beat-by-answer', 'the age of a beat counts from the answer to its last attempt', [
    'storage/lock-handle.ts',
    'storeTime - beat.asked >= PERMIT_DURATION',
    'storeTime - beat.answered >= PERMIT_DURATION',
  ]),
  mutant('silent-without-knowing', 'who was silent for long goes on, although previews count it as dead', [
    'storage/lock-handle.ts',
    'if (isOverdue(({ asked }) => next.answered - asked)) throw term.lose(SILENT);',
    '',
  ]),
  mutant('counted-from-answer', 'a holder counts from the answer to its beat, not from before it was sent', [
    'storage/lock-log-writer.ts',
    '? { sent, asked, answered } : undefined;',
    '? { sent: host.instant(), asked: time().getTime(), answered } : undefined;',
  ]),
  mutant(
    'monotonic-only',
    'a machine that slept does not know it, and does not learn it from the store',
    [
      'storage/machine.ts',
      'return Math.max(now.monotonic - monotonic, now.wall - wall);',
      'return now.monotonic - monotonic + 0 * wall;',
    ],
    ['storage/lock-handle.ts', 'outdated = beat;', 'outdated = undefined;'],
  ),
  mutant('signs-before-time', 'a challenger that was paused between the two finds a living holder dead', [
    'storage/lock-log.ts',
    'if (!isHeld || timeSinceSignOfLife(log) < DEAD_AFTER) return log;',
    'if (log) return log;',
  ]),
  mutant('long-permit', 'requests are sent for longer than who takes the lock waits', [
    'storage/lock-handle.ts',
    'const PERMIT_DURATION = 30_000;',
    'const PERMIT_DURATION = 150_000;',
  ]),
  mutant('no-wait', 'who takes the lock from a holder does not wait for its requests', [
    'storage/lock.ts',
    'if (isExclusive && !bucket.fence && !isCalm) await settle(',
    'if (isExclusive && bucket.fence && !isCalm) await settle(',
  ]),
  mutant('short-wait', 'who takes the lock from a holder waits eleven seconds', [
    'storage/lock-log-writer.ts',
    'export const QUIET_AFTER = 80_000;',
    'export const QUIET_AFTER = 11_000;',
  ]),
  mutant('unsettled-forgotten', 'attempts without an answer are not counted', [
    'storage/retrying-bucket.ts',
    'if (isOutcomeUnknown(error)) options.limit?.unsettled();',
    '',
  ]),
  mutant('settled-although', 'who gives the lock back before the wait is over says nothing', [
    'storage/lock-log-writer.ts',
    'const late = isWaiting ? QUIET_AFTER : journal.isUnsettled ? QUIET_AFTER_SIGNATURE : 0;',
    'const late = journal.isUnsettled ? QUIET_AFTER_SIGNATURE : 0;',
  ]),
  mutant('takes-the-living', 'the lock is taken from a holder that lives', [
    'storage/lock.ts',
    'timeSinceSignOfLife(log) < DEAD_AFTER)',
    'timeSinceSignOfLife(log) < DEAD_AFTER / 12)',
  ]),
  mutant('own-clock', 'the clock of the challenger measures the age of the last sign', [
    'storage/lock.ts',
    'timeSinceSignOfLife(log) < DEAD_AFTER)',
    'host.instant().wall - (log.sign?.getTime() ?? 0) < DEAD_AFTER)',
  ]),
  mutant('unconditional-take', 'entries replace those of others', [
    'storage/lock-log-writer.ts',
    'if (isExclusive)\n          await observe(',
    "if (isExclusive && key.endsWith('.beat'))\n          await observe(",
  ]),
  mutant('no-look', 'a beat counts although another begin follows', [
    'storage/lock-log-writer.ts',
    'return (await isStillLast()) ? {',
    'return beats > 0 || (await isStillLast()) ? {',
  ]),
  mutant('wall-without-times', 'who learned no time of the store waits by its own clock', [
    'storage/lock-log-writer.ts',
    '(await observe(() => bucket.read(key)))?.body',
    '(await bucket.read(key))?.body',
  ]),
  mutant('damage-ignored', 'an entry that is gone counts as one that never was', [
    'storage/lock-log.ts',
    'const current = log.isDamaged ? null : entry.current;',
    'const { current } = entry;',
  ]),
  mutant('trusting-takeover', 'who takes over trusts the live release', [
    'publish/survey.ts',
    "remains.suspect ? 'unfinished' : undefined",
    "remains.suspect && !live ? 'unfinished' : undefined",
  ]),
  mutant('clean-abandon', 'a publish that fails leaves no mark', [
    'storage/lock.ts',
    'const unfinished = hasBegun ? { ...holder.remains(), suspect: true } : remains;',
    'const unfinished = hasBegun ? { ...remains, suspect: false, releases: [] } : remains;',
  ]),
  mutant('held-is-clean', 'a log that was left held is taken for one at rest', [
    'storage/lock-log.ts',
    'return !isHeld && !lastEntry?.suspect && lastEntry?.releases.length === 0;',
    'return isHeld !== undefined && !lastEntry?.suspect;',
  ]),
  mutant('names-forgotten', 'the entry does not name what may be there in part', [
    'storage/lock.ts',
    'isSeen ? withAddedReleases(remains, { releases, readerLife }) : remains;',
    '{ ...(isSeen ? withAddedReleases(remains, { releases, readerLife }) : remains), releases: [] };',
  ]),
  mutant('unchanged-while-held', 'a bucket that is being changed counts as unchanged', [
    'publish/publish.ts',
    'if (!log.lastEntry || !current || verify || !isAtRest(log)) return false;',
    'if (!log.lastEntry || !current || verify) return false;',
  ]),
  mutant(
    'seen-trusted',
    'the live release that was read before the lock was taken counts whatever happened since',
    ['publish/publish.ts', 'held.isAsSeen ? seen : undefined', 'seen'],
  ),
  mutant('details-late', 'lists are written before details', [
    'contract/object-kinds.ts',
    '0, 1, 2, 3, 4, 5, 6, 7',
    '0, 1, 2, 4, 3, 5, 6, 7',
  ]),
  mutant('photos-late', 'photos are written after the details that show them', [
    'contract/object-kinds.ts',
    '0, 1, 2, 3, 4, 5, 6, 7',
    '0, 1, 3, 2, 4, 5, 6, 7',
  ]),
  mutant('current-early', 'the release goes live before its objects', [
    'publish/apply.ts',
    '  await writePhases(work, UPLOAD_PHASES.slice(0, FIRST_NAMING_PHASE), write);',
    '  await writeCurrentJson(bucket, release, currentJsonOf(release, { releases: [] }));\n  await writePhases(work, UPLOAD_PHASES.slice(0, FIRST_NAMING_PHASE), write);',
  ]),
  mutant('removed-early', 'lists are removed before the release is live', [
    'publish/apply.ts',
    '  const statement = await signature?.write();',
    '  await removeGone(work, { ...details, stayingIds: new Set() });\n  const statement = await signature?.write();',
  ]),
  mutant('details-at-once', 'details go as soon as no list names them', [
    'publish/apply.ts',
    'new Date(held.latest().getTime() + survey.listLife);',
    'new Date(held.latest().getTime());',
  ]),
  mutant('root-life', 'of the two objects that a packed list is cached by, one is counted', [
    'publish/cached-list-lifetime.ts',
    "(settings.layout === 'pages' ? 0 : cacheLife(release))",
    "(settings.layout === 'pages' ? 0 : 0 * cacheLife(release) - 10)",
  ]),
  mutant('retired-stays-due', 'a detail that a list names again keeps its old date', [
    'publish/timeline.ts',
    '!names.includes(one.release) || one.until >= time',
    'one.until >= "2" || time === ""',
  ]),
  mutant('live-not-recorded', 'a release that an interrupted publish made live is not recorded', [
    'publish/survey.ts',
    'const amended = live && current ? withLiveRelease(found, live, current.modified ?? now) : found;',
    'const amended = live && !current ? withLiveRelease(found, live, current!.modified ?? now) : found;',
  ]),
  mutant('rolls-back-to-never', 'rollback takes a release that never was live', [
    'publish/rollback.ts',
    'const earlier = releases.find(({ isRestorable, isLive }) => isRestorable && !isLive);',
    'const earlier = releases.find(({ isLive }) => !isLive);',
  ]),
  mutant('never-live', 'a release counts as live from when its publish begins', [
    'publish/apply.ts',
    "  listener({ kind: 'stage', stage: 'write' });",
    "  await held.record({ timeline: timelineForLog(withLiveRelease(survey.timeline, release, held.time())).timeline });\n  listener({ kind: 'stage', stage: 'write' });",
  ]),
  mutant('prune-by-upload', 'prune counts from when a root was uploaded', [
    'publish/list-releases.ts',
    'const until = span ? (span.until ? new Date(span.until) : (object?.modified ?? new Date())) : end;',
    'const until = span ? time : end;',
  ]),
  mutant('prune-unfinished', 'prune removes what an interrupted publish may still need', [
    'publish/prune.ts',
    '!isOfOpenPublish(one.name) &&',
    '',
  ]),
  mutant(
    'prune-root-last',
    'an interrupted prune leaves what looks restorable',
    ['publish/prune.ts', '  await removeAll(bucket, keys.filter(isRoot));\n', ''],
    [
      'publish/prune.ts',
      '  await removeAll(bucket, moved);',
      "  await removeAll(bucket, unused.filter((key) => objectKindOf(key) === 'root'));\n  await removeAll(bucket, moved);",
    ],
  ),
  mutant('prune-shared', 'prune removes photos that the live release shows', [
    'publish/unused-objects.ts',
    'if (!used.has(key)) unused.add(key);',
    'unused.add(key);',
  ]),
  mutant('prune-tree', 'prune removes chunks that the live release has too', [
    'publish/unused-objects.ts',
    'new Set([...sharedKeys(live), ...previews.used])',
    "new Set([...sharedKeys(live).filter((key) => !key.includes('/chunks/')), ...previews.used])",
  ]),
  mutant('prune-clears', 'prune clears the mark of an interrupted publish', [
    'publish/prune.ts',
    'if (remains.suspect) await held.abandon();',
    'if (remains.suspect && remains.due === "never") await held.abandon();',
  ]),
  mutant('leaves-by-place', 'leaves count as equal that are at the same place', [
    'release/compare-releases.ts',
    'leaves.filter(({ digest }) => !theirs.has(digest))',
    'leaves.filter(({ digest }, place) => !theirs.has(digest) && place > 0)',
  ]),
  mutant('guard-off', 'an older commit replaces a newer one when the bucket has to be listed', [
    'publish/publish.ts',
    'guardPlan(survey.last, plan, options);',
    'guardPlan(survey.listingReason ? undefined : survey.last, plan, options);',
  ]),
  mutant('unconfirmed-fence', 'a fence is raised, and nothing confirms that the lock is still held', [
    'storage/lock-handle.ts',
    '    await bucket.fence?.(name);\n    await beat();',
    '    await bucket.fence?.(name);',
  ]),
  mutant('cached-forgotten', 'only lists of the release that is replaced are counted, not those before it', [
    'publish/timeline.ts',
    'const isCovered = latest !== null',
    "const isCovered = latest === ''",
  ]),
  mutant('over-needed', 'a release that has photos of details which stay for others goes before them', [
    'publish/timeline.ts',
    '.map((one) => (latest && isOver(one.until, now) ? { ...one, until: latest } : one))',
    '.filter((one) => !isOver(one.until, now))',
  ]),
  mutant('late-end', 'an end that arrives late counts, although another holder began and ended', [
    'storage/lock-log-writer.ts',
    'if (!present) return elapsedAtMost(host, looked) < SIGNATURE_LIFETIME || isStillLast();',
    'if (!present) return true;',
  ]),
  mutant('pruned-first', 'details are looked up in a release that an interrupted prune removed in part', [
    'publish/survey.ts',
    'endOf(other.release) - endOf(one.release) || (one.until < other.until ? 1 : -1);',
    'one.until < other.until ? 1 : endOf(one.release) * 0 - 1;',
  ]),
  mutant('foreign-guards', 'guards compare with a release that was put back from elsewhere', [
    'publish/survey.ts',
    'const live = isLogged || isLastRecorded ? named : undefined;',
    'const live = isLogged || isLastRecorded || named ? named : undefined;',
  ]),
  mutant(
    'foreign-pruned',
    'prune believes a release that was put back from elsewhere',
    [
      'publish/survey.ts',
      'const live = isLogged || isLastRecorded ? named : undefined;',
      'const live = isLogged || isLastRecorded || named ? named : undefined;',
    ],
    ['publish/prune.ts', 'if (live && !doubt)', 'if (live && doubt !== "no-release")'],
  ),
  mutant('photos-first', 'prune removes photos before the details that show them', [
    'publish/prune.ts',
    '  await removeAll(bucket, details);\n',
    '  await removeAll(bucket, keys.filter((key) => !isRoot(key) && !isImageList(key)));\n  await removeAll(bucket, details);\n',
  ]),
  mutant('shown-pruned', 'prune removes photos that a detail shows which stays for readers', [
    'publish/prune.ts',
    'details.neededReleases.has(name) || before.some(({ release }) => release === name);',
    'name === "" && details.neededReleases.has(name);',
  ]),
  mutant('stray-month', 'a month of the history that no index names stays', [
    'publish/record-history.ts',
    'const left = mayHaveLeftovers ?',
    'const left = mayHaveLeftovers && files.size > 99 ?',
  ]),
  mutant(
    'chooses-early',
    'a rollback chooses its release before it has the lock',
    [
      'publish/rollback.ts',
      '  const choose = async',
      '  const early = await chooseRollbackRelease(bucket, wanted, await readTimeline(bucket));\n  const choose = async',
    ],
    ['publish/rollback.ts', '(await chooseRollbackRelease(locked, wanted, timeline))', 'early'],
    ['publish/rollback.ts', 'import { findTimeline, type', 'import { findTimeline, readTimeline, type'],
  ),
  mutant('goal-forgotten', 'a rollback that is run again chooses again', [
    'publish/rollback.ts',
    '(wanted === undefined && goal) ||',
    '',
  ]),
  mutant('largest-difference', 'the clock of a store that was set back is believed to go on', [
    'storage/http/clock.ts',
    'if (time) last = { time: time.getTime(), at: monotonic() };',
    'const at = monotonic();\n      if (time) last = { time: Math.max(time.getTime(), last ? last.time + at - last.at : 0), at };',
  ]),
  mutant('completion-settled', 'the completion of a large object that failed counts as one without effect', [
    'storage/s3/multipart-upload.ts',
    'sendChange(retry, () => complete(once, uploadId, parts))',
    'sendWithRetry(retry, () => complete(once, uploadId, parts))',
  ]),
  mutant('promise-shortened', 'a later publish promises less of a release than an earlier one', [
    'publish/kept-release-list.ts',
    'latestOf([old?.keptUntil, until])',
    'latestOf([until])',
  ]),
  mutant('preview-hasty', 'a preview relies on objects that a prune is about to remove', [
    'publish/preview.ts',
    'await waitUntilNobodyPublishes(parent, lock);',
    '',
  ]),
  mutant(
    'interrupted-kept',
    'what an interrupted prune left stays, if the next one keeps releases for longer',
    ['publish/prune.ts', '&& !interrupted.includes(one.name)', ''],
  ),
  mutant('doubt-hurried', 'how long doubtful releases are served counts from the start of a publish', [
    'publish/apply.ts',
    'survey.listLife + DAY);',
    'survey.listLife);',
  ]),
  mutant('silent-returns', 'who was silent while a preview counted it as dead goes on', [
    'storage/lock-handle.ts',
    'elapsed(lastBeat) > GIVES_UP_AFTER;',
    'elapsed(lastBeat) < 0;',
  ]),
  mutant('preview-kept', 'a prune keeps what a preview has replaced', [
    'publish/ended-previews.ts',
    ': keys.filter((key) => key !== CURRENT_KEY &&',
    ': [].filter((key) => key !== CURRENT_KEY &&',
  ]),
  mutant('preview-listed-early', 'a prune takes a preview to be as it was before its lock was taken', [
    'publish/ended-previews.ts',
    '(await ownKeys(bucket, previewKeyPrefix(name))).found.get(name) ?? []',
    'listed',
  ]),
  mutant('preview-unclaimed', 'a prune removes what a preview uses', [
    'publish/unused-objects.ts',
    'new Set([...sharedKeys(live), ...previews.used])',
    'new Set(sharedKeys(live))',
  ]),
  mutant('preview-replaces', 'a preview replaces objects of the live release', [
    'storage/preview-bucket.ts',
    '{ absent: true }',
    'undefined',
  ]),
  mutant(
    'gone-unnamed',
    'nothing tells readers of cached lists which release has the details of removed properties',
    ['publish/current-json.ts', 'before: hasPages ? [] : releases', 'before: hasPages ? releases : []'],
  ),
  mutant('doubt-forgotten', 'where it is unknown what was live, only recorded releases count as served', [
    'publish/survey.ts',
    'isRestorable || isUnfinished ? [name] : [],',
    'isRestorable && isUnfinished ? [name] : [],',
  ]),
  mutant('moved-unread', 'what a prune that was interrupted moved aside is not read', [
    'publish/stored-release.ts',
    '(key === rootKey(release) ? read(prunedRootKey(release)) : undefined)',
    'undefined',
  ]),
  mutant(
    'doubt-shortened',
    'where it is unknown what was live, caches are counted from when the publish began',
    ['publish/apply.ts', '.release.name), ...doubtfulNames(survey)];', '.release.name)];'],
  ),
  mutant('gone-again', 'a detail that readers of cached lists need is removed', [
    'publish/apply.ts',
    '.filter((id) => !stayingIds.has(id))',
    '',
  ]),
  mutant('root-late', 'the root arrives after the objects that it alone names', [
    'contract/object-kinds.ts',
    'root: { phase: 0,',
    'root: { phase: 4,',
  ]),
  mutant('lists-first', 'a prune removes the lists of images before the images that they alone name', [
    'publish/prune.ts',
    "objectKindOf(key) === 'images'",
    "objectKindOf(key) === 'media'",
  ]),
  mutant('root-unmoved', 'a prune removes roots before the objects that they alone name', [
    'publish/prune.ts',
    'if (root) await bucket.write(prunedRootKey(name), root.body, CONTROL_OBJECT_HEADERS);',
    '',
  ]),
  mutant('root-unread', 'a prune does not read what the roots of kept releases name', [
    'publish/stored-release.ts',
    'return release ? sharedKeys(release) : [];',
    'return known.includes(release) ? [] : sharedKeys(known[0]!);',
  ]),
  mutant('images-late', 'lists of images arrive after the images that they alone name', [
    'contract/object-kinds.ts',
    'images: { phase: 1,',
    'images: { phase: 3,',
  ]),
  mutant('never-live-restorable', 'a release that never was live looks restorable', [
    'publish/list-releases.ts',
    'isRestorable: wasLive && arrived.has(name),',
    'isRestorable: arrived.has(name),',
  ]),
  mutant('number-reused', 'who follows an interrupted publish takes its number', [
    'publish/sign.ts',
    'const number = isLast && remains.number !== undefined ? last : last + 1;',
    'const number = remains.suspect || isLast ? last : last + 1;',
  ]),
  mutant('statement-late', 'a release is live before its statement is there', [
    'publish/apply.ts',
    '  const statement = await signature?.write();\n  const current = await goLive(work, details);',
    '  const current = await goLive(work, details);\n  const statement = await signature?.write();',
  ]),
  mutant('number-of-then', 'a release that is live again has the number that it had then', [
    'publish/sign.ts',
    'const number = isLast && remains.number !== undefined ? last : last + 1;',
    'const number = present?.statement.number ?? last + 1;',
  ]),
  mutant('statement-pruned', 'a prune removes the statement of the live release', [
    'publish/unused-objects.ts',
    'const used = new Set([live.name, ...staying.map(({ name }) => name)]);',
    'const used = new Set(staying.map(({ name }) => name).filter((name) => name !== live.name));',
  ]),
];
