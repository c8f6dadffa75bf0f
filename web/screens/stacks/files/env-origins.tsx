import type { FileContent } from '../../../data/stack-files.ts'
import { t } from '../../../text/text.ts'
import { originsOf } from './origins-of.ts'

interface EnvOriginsProps {
  variables: NonNullable<FileContent['variables']>
  /** The stack follows a source, so that a variable can be kept here in place of that of it. */
  isFollowing: boolean
}

/**
 * Says where the variables of a stack are from: which of its `.env` are kept in the service in
 * place of a followed source, and which are from shared sets.
 */
export function EnvOrigins({ variables, isFollowing }: EnvOriginsProps) {
  const { covering, added, sets, coversSet } = originsOf(variables)
  return (
    <p class="files-managed">
      {isFollowing && covering + added === '' && <span>{t.files.envOfSource}</span>}
      {isFollowing && covering !== '' && <span>{t.files.envCovers(covering)}</span>}
      {isFollowing && added !== '' && <span>{t.files.envAdds(added)}</span>}
      {sets.map(({ set, names }) => (
        <span key={set}>{t.files.envOfSet(set, names)}</span>
      ))}
      {coversSet !== '' && <span>{t.files.envCoversSet(coversSet)}</span>}
    </p>
  )
}
