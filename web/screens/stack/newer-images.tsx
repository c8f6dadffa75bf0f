import { deployNewerHref, summarizeNewer } from '../../data/newer-images.ts'
import { can } from '../../data/session.ts'
import { useNewerOf } from '../../data/updates.ts'
import { Notices } from '../../frame/notices.tsx'
import { Link } from '../../parts/link.tsx'
import { State } from '../../parts/state.tsx'
import { Time } from '../../parts/time.tsx'
import { t } from '../../text/text.ts'

/**
 * The line of a stack whose registries have newer images. It is read after the services, and stands
 * below them: they stay in their place.
 */
export function NewerImages({ stack }: { stack: string }) {
  const newer = summarizeNewer(useNewerOf(stack))
  if (newer === undefined) return null
  const { image, services, since, releaseNotes } = newer
  return (
    <Notices>
      <p>
        <State
          of="attention"
          word={image === undefined ? t.updates.several(services) : t.updates.has(image)}
        />
        <span class="quiet-text">
          {t.updates.seen} <Time at={since} />
        </span>
        {releaseNotes !== null && <Link href={releaseNotes}>{t.updates.notes}</Link>}
        {image === undefined && (
          <Link href={`/updates?${new URLSearchParams({ filter: stack })}`}>{t.updates.show}</Link>
        )}
        {can('stacks:deploy') && (
          <Link href={deployNewerHref(stack)}>{t.updates.deployStack(stack)}</Link>
        )}
      </p>
    </Notices>
  )
}
