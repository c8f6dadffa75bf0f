import { countStates, hasProposals, type Update } from '../../data/newer-images.ts'
import { useQuery } from '../../frame/address.ts'
import { Button } from '../../parts/button.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Link } from '../../parts/link.tsx'
import { t } from '../../text/text.ts'
import { LookTimes } from './look-times.tsx'

interface NothingNewerProps {
  of: readonly Update[]
  /** No host is missing. */
  isWhole: boolean
}

/** No service has a newer image, as far as that is known: it says what is not. */
export function NothingNewer({ of, isWhole }: NothingNewerProps) {
  const [, setState] = useQuery('state', 'newer')
  if (of.length === 0) return <Empty title={t.updates.nothingKnown}>{t.updates.noneReached}</Empty>
  const { current, unknown } = countStates(of)
  const isCertain = isWhole && unknown === 0 && current > 0
  const proposed = of.filter(hasProposals).length
  const unsure = unknown > 0 ? 'unknown' : current === 0 ? 'not_checked' : undefined
  return (
    <Empty
      title={isCertain ? t.updates.nothing : t.updates.nothingKnown}
      action={unsure && <Button onClick={() => setState(unsure)}>{t.updates.showWhy}</Button>}
    >
      {unsure === 'unknown' && `${t.updates.unknown(unknown)} `}
      {unsure === 'not_checked' && `${t.updates.noneChecked} `}
      {proposed > 0 && (
        <>
          {t.updates.proposed(proposed)}{' '}
          <Link href="/updates?state=proposed">{t.updates.show}</Link>{' '}
        </>
      )}
      <LookTimes of={of} />
    </Empty>
  )
}
