import type { FileContent } from '../../../data/stack-files.ts'
import { t } from '../../../text/text.ts'

interface EnvOriginsProps {
  variables: NonNullable<FileContent['variables']>
}

/** Says which variables of the `.env` of a followed source are kept in the service. */
export function EnvOrigins({ variables }: EnvOriginsProps) {
  const own = variables.filter(({ origin }) => origin === 'service')
  const named = (covers: boolean) =>
    own.flatMap((one) => (one.covers === covers ? one.name : [])).join(', ')
  const [covering, added] = [named(true), named(false)]
  return (
    <p class="files-managed">
      {own.length === 0 && <span>{t.files.envOfSource}</span>}
      {covering !== '' && <span>{t.files.envCovers(covering)}</span>}
      {added !== '' && <span>{t.files.envAdds(added)}</span>}
    </p>
  )
}
