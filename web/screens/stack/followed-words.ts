import { ownEntry } from '../../data/own-entry.ts'
import type { Deployment } from '../../data/stack-operations.ts'
import type { FollowedSource } from '../../data/stack-source.ts'
import type { StateName } from '../../parts/state.tsx'
import { t } from '../../text/text.ts'
import { shortRevision } from '../sources/source-url.ts'

/** Returns in a few words whether a stack follows its source. */
export function followState({
  source,
  path,
  synced,
  is_waiting: isWaiting,
  last_error: error,
}: FollowedSource): { of: StateName; word: string } {
  const place = t.followed.place(source, path)
  if (error) {
    const { fails, undeployed } = t.followed
    return { of: 'failed', word: error.deployment_id === null ? fails(place) : undeployed(place) }
  }
  if (isWaiting) return { of: 'working', word: t.followed.syncs(place) }
  if (!synced) return { of: 'unknown', word: t.followed.notYet(place) }
  return { of: 'running', word: t.followed.follows(place) }
}

type Remedy = keyof typeof t.followed.remedies

/** The remedies by the reason of a failure. Messages of other reasons say it themselves. */
const remedies: Readonly<Record<string, Remedy>> = {
  blocked: 'rights',
  policy: 'files',
  'invalid-compose': 'files',
  limit: 'files',
  'source-refused': 'files',
  'too-large': 'files',
  malformed: 'files',
  drift: 'drift',
  'no-such-folder': 'folder',
  'no-source': 'gone',
  unreachable: 'look',
  denied: 'look',
  'no-such-ref': 'look',
  'not-allowed': 'look',
  'host-key-unknown': 'look',
  'host-key-changed': 'look',
}

/** Returns what to do if a stack does not follow its source for a reason, if that is known. */
export const remedyFor = (reason: string): Remedy | undefined => ownEntry(remedies, reason)

/** Returns what a deployment took: "1a2b3c4d5e6f Greet twice (after a look)". */
export function takenText({
  revision,
  subject,
  trigger,
}: Pick<NonNullable<Deployment['source']>, 'revision' | 'subject' | 'trigger'>): string {
  const version = [shortRevision(revision), subject].filter(Boolean).join(' ')
  return `${version} (${t.followed.triggers[trigger]})`
}
