import type { StackDetails } from '../../data/stack-operations.ts'
import { Notices } from '../../frame/notices.tsx'
import { Link } from '../../parts/link.tsx'
import { State } from '../../parts/state.tsx'
import { t } from '../../text/text.ts'
import type { ServiceStatus } from './service-row.ts'
import { serviceTroubles } from './service-troubles.ts'

interface ServiceTroubleListProps {
  stack: StackDetails
  rows: readonly ServiceStatus[]
}

/** More are in the list of services. */
const shownMax = 6

/** The services that are not well, each with its reason and where to look next. */
export function ServiceTroubleList({ stack, rows }: ServiceTroubleListProps) {
  const { name, operation, status } = stack
  const isKnown = status !== 'not_deployed' && status !== 'unknown'
  const all = isKnown ? serviceTroubles(rows, operation !== null) : []
  if (all.length === 0) return null
  const at = `/stacks/${encodeURIComponent(name)}`
  return (
    <Notices>
      {all.slice(0, shownMax).map(({ service, state, what, why, next }) => (
        <p key={service}>
          <State of={state} word={`${service}: ${what}`} />
          {why && <span class="stack-error">{why}</span>}
          {next === 'plan' ? (
            <Link href={`${at}/deploy`}>{t.stack.showPlan(name)}</Link>
          ) : (
            <Link href={`${at}/logs?service=${encodeURIComponent(service)}`}>
              {t.stack.logsOf(service)}
            </Link>
          )}
        </p>
      ))}
      {all.length > shownMax && (
        <p class="quiet-text">{t.stack.moreTroubles(all.length - shownMax)}</p>
      )}
    </Notices>
  )
}
