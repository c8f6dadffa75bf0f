import {
  deployNewerHref,
  type NewerImages as Newer,
  proposalsOf,
  summarizeNewer,
  type Update,
} from '../../data/newer-images.ts'
import { can } from '../../data/session.ts'
import { useUpdatesOf } from '../../data/updates.ts'
import { Notices } from '../../frame/notices.tsx'
import { Link } from '../../parts/link.tsx'
import { State } from '../../parts/state.tsx'
import { Time } from '../../parts/time.tsx'
import { t } from '../../text/text.ts'
import { newerTagsText } from '../updates/newer-tags.ts'
import { LastUpdate } from './last-update.tsx'
import { UpdateOutlook } from './update-outlook.tsx'

/**
 * How the last update of a stack went, what happens next, what is newer, and newer versions. They
 * are read after the services, and stand below them: they stay in their place.
 */
export function NewerImages({ stack }: { stack: string }) {
  const updates = useUpdatesOf(stack)
  const newer = summarizeNewer(updates)
  const proposals = proposalsOf(updates)
  return (
    <Notices>
      <LastUpdate stack={stack} />
      <UpdateOutlook stack={stack} updates={updates} />
      {newer && <NewerLine stack={stack} of={newer} />}
      {proposals.length > 0 && <Proposals stack={stack} of={proposals} />}
    </Notices>
  )
}

function NewerLine({ stack, of }: { stack: string; of: Newer }) {
  const { image, services, since, releaseNotes } = of
  return (
    <p>
      <State
        of="attention"
        word={image === undefined ? t.updates.several(services) : t.updates.has(image)}
      />
      <span class="quiet-text">
        {t.updates.seen} <Time at={since} />
      </span>
      {releaseNotes !== null && <Link href={releaseNotes}>{t.updates.notes}</Link>}
      {image === undefined && <Link href={updatesHref(stack, 'newer')}>{t.updates.show}</Link>}
      {can('stacks:deploy') && (
        <Link href={deployNewerHref(stack)}>{t.updates.deployStack(stack)}</Link>
      )}
    </p>
  )
}

/** More are on the page of updates. */
const proposalsMax = 3

/** Tags of newer versions. Only a change of the compose file takes one. */
function Proposals({ stack, of }: { stack: string; of: readonly Update[] }) {
  const left = of.length - proposalsMax
  return (
    <p class="quiet-text">
      {of.slice(0, proposalsMax).map((update) => (
        <span key={update.image} class="proposal">
          {t.updates.newerTagsOf(update.image, newerTagsText(update), placeOf(update))}
        </span>
      ))}
      {left > 0 && <Link href={updatesHref(stack, 'proposed')}>{t.updates.more(left)}</Link>}
      <span>{t.updates.newerTagsNext}</span>
      {can('stacks:update') && (
        <Link href={`/stacks/${encodeURIComponent(stack)}/files`}>{t.stack.files}</Link>
      )}
    </p>
  )
}

/** Returns the first line that names the image: "compose.yaml:3". */
function placeOf({ newer_tags: [first] }: Update): string | undefined {
  const [line] = first?.lines ?? []
  return line && `${line.file}:${line.line}`
}

const updatesHref = (stack: string, state: string) =>
  `/updates?${new URLSearchParams({ filter: stack, state })}`
