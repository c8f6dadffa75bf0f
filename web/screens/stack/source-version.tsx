import type { FollowedSource } from '../../data/stack-source.ts'
import { t } from '../../text/text.ts'
import { shortRevision } from '../sources/source-url.ts'

/** A version of a source: its short revision, and its title and author if the source says them. */
export function SourceVersion({
  of: { revision, subject, author },
}: {
  of: NonNullable<FollowedSource['waiting']>
}) {
  return (
    <span class="source-version">
      <code title={revision}>{shortRevision(revision)}</code>
      {subject !== null && ` ${subject}`}
      {author !== null && <span class="quiet-text"> {t.stack.byUser(author)}</span>}
    </span>
  )
}
