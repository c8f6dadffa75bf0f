import type { StateName } from '../../parts/state.tsx'
import { t } from '../../text/text.ts'
import type { ServiceStatus } from './service-row.ts'

/** A service that is not well. */
export interface ServiceTrouble {
  service: string
  state: StateName
  /** What is wrong, in the words of Home: "Exit code 1". */
  what: string
  /** Why, in the words of the service. */
  why: string | null
  /** Where to look next: in its log, or at the plan of a deploy that creates what is missing. */
  next: 'logs' | 'plan'
}

type ServiceState = ServiceStatus['service_state']

/** Another state is none of a trouble: `stopped` and `paused` are what a user asked for. */
const states: Readonly<Partial<Record<ServiceState, StateName>>> = {
  failed: 'failed',
  restarting: 'failed',
  unhealthy: 'attention',
  missing: 'attention',
  partial: 'attention',
}

/** States that an operation brings about while it replaces containers. */
const passing: readonly ServiceState[] = ['missing', 'partial']

/**
 * Returns the services that are not well, once each, failures first.
 *
 * @param isBusy an operation changes the stack
 */
export function serviceTroubles(
  rows: readonly ServiceStatus[],
  isBusy: boolean,
): readonly ServiceTrouble[] {
  const services = new Map<string, ServiceTrouble>()
  for (const row of rows) {
    const { service, service_state: of, detail } = row
    const state = states[of]
    if (state === undefined || (isBusy && passing.includes(of))) continue
    const known = services.get(service)
    if (known && known.why !== null) continue
    const next = passing.includes(of) ? 'plan' : 'logs'
    const what = known?.what === undefined || row.exit_code !== null ? wordOf(row) : known.what
    services.set(service, { service, state, what, why: reasonOf(detail), next })
  }
  return [...services.values()].sort((one, other) => rank(one) - rank(other))
}

/** An exit code is said already, and so is a health check without an output. */
const reasonOf = (detail: string | null) =>
  detail !== null && /^(ended with exit code \d+|its health check fails)$/.test(detail)
    ? null
    : detail

const rank = ({ state }: ServiceTrouble) => (state === 'failed' ? 0 : 1)

function wordOf({ service_state: state, exit_code: code }: ServiceStatus): string {
  const isDown = state === 'failed' || state === 'restarting'
  return isDown && code !== null ? t.home.exited(code) : t.serviceState[state]
}
