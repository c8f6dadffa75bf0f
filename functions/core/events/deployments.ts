import type { AuditRow } from '../audit/row.ts'
import type { Needs } from '../ports.ts'
import type { Deployment } from '../stacks/stack.ts'
import type { Happening } from './happening.ts'

/** How long a change of a stack that began is waited for to end. Milliseconds. */
const patience = 600_000
/** Deployments of a stack that are looked at. */
const newest = 3
/** Deployments that are remembered. */
const knownMax = 10_000

/** Finds out what goes on in deployments of all processes, by their records. */
export function deploymentWatch({ deployments, clock }: Needs<'deployments' | 'clock'>) {
  /** Status of each of its steps, then its own. */
  const known = new Map<string, string[]>()
  /** Stack → until when it is looked at. */
  const watched = new Map<string, number>()
  const begunAt = clock.now()

  const remember = (deployment: Deployment) => {
    known.set(deployment.id, [...deployment.steps.map(({ status }) => status), deployment.status])
    if (known.size > knownMax) known.delete(known.keys().next().value ?? '')
  }
  const newsOf = (deployment: Deployment): Happening[] => {
    const before = known.get(deployment.id)
    if (!before && deployment.startedAt < begunAt) return []
    remember(deployment)
    const steps = deployment.steps.flatMap(({ status }, index) => {
      const isNews = status !== 'pending' && status !== before?.slice(0, -1)[index]
      return isNews ? [stepOf(deployment, index, clock.now())] : []
    })
    const isOver = deployment.status !== 'running' && before?.at(-1) !== deployment.status
    return [
      ...(before ? [] : [begunOf(deployment)]),
      ...steps,
      ...(isOver ? [endedOf(deployment)] : []),
    ]
  }
  return {
    /** From here on: what runs already is news only in what it does next. */
    async begin() {
      for (const deployment of await deployments.listRunning()) {
        remember(deployment)
        watched.set(deployment.stack, clock.now() + patience)
      }
    },
    /** What was audited says which stacks to look at. */
    row({ subject, outcome }: AuditRow) {
      if (subject?.kind !== 'stacks') return
      watched.set(subject.id, outcome === 'begun' ? clock.now() + patience : 0)
    },
    async look(): Promise<Happening[]> {
      const news: Happening[] = []
      for (const [stack, until] of watched) {
        const found = await deployments.listByStack(stack, newest)
        news.push(...found.toReversed().flatMap(newsOf))
        const isRunning = found.some(({ status }) => status === 'running')
        if (!isRunning && until <= clock.now()) watched.delete(stack)
      }
      return news
    },
  }
}

/** That it began, and maybe that it ended. */
export const outlineOf = (deployment: Deployment): Happening[] => [
  begunOf(deployment),
  ...(deployment.status === 'running' ? [] : [endedOf(deployment)]),
]

const begunOf = (deployment: Deployment) =>
  about(deployment, 'begun', deployment.startedAt, {
    environment: deployment.environment,
  })

const endedOf = (deployment: Deployment) =>
  about(deployment, 'ended', deployment.finishedAt ?? deployment.startedAt, {
    status: deployment.status,
    error: deployment.error,
  })

function stepOf(deployment: Deployment, index: number, at: number): Happening {
  const { action, kind, name, status, ms } = deployment.steps[index]!
  const step = about(deployment, 'step', at, { step: index, action, kind, name, status, ms })
  return { ...step, id: `${deployment.id}-${index}-${status}` }
}

function about(
  { id, kind, stack, hostId, by }: Deployment,
  what: string,
  at: number,
  details: Happening['details'],
): Happening {
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
