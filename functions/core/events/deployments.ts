import { evictOldest } from '../evict-oldest.ts'
import type { Needs } from '../ports/ports.ts'
import type { ServiceEvent } from '../ports/service-events.ts'
import type { AuditRow } from '../records/audit-row.ts'
import type { Deployment } from '../records/deployment.ts'
import type { DeploymentMoment } from '../records/event-kinds.ts'

/** How long a stack is watched after a change of it began. Milliseconds. */
const watchTime = 600_000
/** Deployments read per stack and poll. */
const deploymentsPerPoll = 3
/** Deployments whose status is remembered. */
const knownMax = 10_000

/** Returns a watch that follows the deployments of all processes, by their records. */
export function deploymentWatch({ deployments, clock }: Needs<'deployments' | 'clock'>) {
  /** By deployment: the status of each step, then that of the deployment. */
  const known = new Map<string, string[]>()
  /** By stack: the time until which it is watched. */
  const watched = new Map<string, number>()
  const startedAt = clock.now()

  const remember = (deployment: Deployment) => {
    known.set(deployment.id, [...deployment.steps.map(({ status }) => status), deployment.status])
    evictOldest(known, knownMax)
  }
  const newEvents = (deployment: Deployment): ServiceEvent[] => {
    const before = known.get(deployment.id)
    if (!before && deployment.startedAt < startedAt) return []
    remember(deployment)
    const steps = deployment.steps.flatMap((step, index) => {
      const isNews = step.status !== 'pending' && step.status !== before?.slice(0, -1)[index]
      return isNews ? [stepEvent(deployment, step, index, clock.now())] : []
    })
    const isOver = deployment.status !== 'running' && before?.at(-1) !== deployment.status
    return [
      ...(before ? [] : [startEvent(deployment)]),
      ...steps,
      ...(isOver ? [endEvent(deployment)] : []),
    ]
  }
  return {
    /**
     * Sets the starting point: for a deployment that is already running, only later changes become
     * events.
     */
    async start() {
      for (const deployment of await deployments.listRunning()) {
        remember(deployment)
        watched.set(deployment.stack, clock.now() + watchTime)
      }
    },
    /** Audit rows show which stacks to watch. */
    observeRow({ subject, outcome }: AuditRow) {
      if (subject?.kind !== 'stacks') return
      watched.set(subject.id, outcome === 'begun' ? clock.now() + watchTime : 0)
    },
    async poll(): Promise<ServiceEvent[]> {
      const events: ServiceEvent[] = []
      for (const [stack, until] of watched) {
        const found = await deployments.listByStack(stack, deploymentsPerPoll)
        events.push(...found.toReversed().flatMap(newEvents))
        const isRunning = found.some(({ status }) => status === 'running')
        if (!isRunning && until <= clock.now()) watched.delete(stack)
      }
      return events
    },
  }
}

/** Returns the start event of a deployment and, if it has ended, its end event. */
export const startAndEndEvents = (deployment: Deployment): ServiceEvent[] => [
  startEvent(deployment),
  ...(deployment.status === 'running' ? [] : [endEvent(deployment)]),
]

const startEvent = (deployment: Deployment) =>
  eventOf(deployment, 'begun', deployment.startedAt, {
    environment: deployment.environment,
  })

const endEvent = (deployment: Deployment) =>
  eventOf(deployment, 'ended', deployment.finishedAt ?? deployment.startedAt, {
    status: deployment.status,
    error: deployment.error,
  })

function stepEvent(
  deployment: Deployment,
  { action, kind, name, status, ms, error }: Deployment['steps'][number],
  index: number,
  at: number,
): ServiceEvent {
  const details = { step: index, action, kind, name, status, ms, ...(error ? { error } : {}) }
  const step = eventOf(deployment, 'step', at, details)
  return { ...step, id: `${deployment.id}-${index}-${status}` }
}

function eventOf(
  { id, kind, stack, hostId, by }: Deployment,
  what: DeploymentMoment,
  at: number,
  details: ServiceEvent['details'],
): ServiceEvent {
  return {
    id: `${id}-${what}`,
    time: new Date(at).toISOString(),
    source: 'service',
    kind: `stack.${kind}.${what}`,
    subject: { kind: 'stack', id: stack, name: stack },
    by,
    details: { deployment_id: id, ...details },
    hosts: [hostId],
    userId: null,
  }
}
