import { Badge } from '../../parts/badge.tsx'
import { State, type StateName } from '../../parts/state.tsx'
import { t } from '../../text/text.ts'
import type { ServiceStatus } from './service-row.ts'

const states: Readonly<Record<ServiceStatus['service_state'], StateName>> = {
  inactive: 'stopped',
  starting: 'working',
  failed: 'failed',
  restarting: 'attention',
  missing: 'attention',
  stopped: 'stopped',
  paused: 'attention',
  completed: 'stopped',
  unhealthy: 'attention',
  running: 'running',
  partial: 'attention',
}

const kinds = { healthy: 'running', starting: 'working', unhealthy: 'attention' } as const

/** The state of a service, in its own word, with the health of the container. */
export function ServiceState({ row }: { row: ServiceStatus }) {
  const { service_state: state, health } = row
  // The word of the state says it already.
  const isSaid = health === state || health === null
  return (
    <span class="service-state">
      <State of={states[state]} word={t.serviceState[state]} />
      {!isSaid && Object.hasOwn(kinds, health) && (
        <Badge kind={kinds[health as keyof typeof kinds]}>
          {t.stack.health[health as keyof typeof kinds]}
        </Badge>
      )}
    </span>
  )
}
