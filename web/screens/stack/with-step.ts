import type { ServiceEvent } from '../../data/event-table.ts'
import type { Deployment } from '../../data/stack-operations.ts'

type Step = Deployment['steps'][number]

const order: readonly Step['status'][] = ['pending', 'running', 'done', 'failed', 'skipped']

/**
 * Returns a deployment with what an event says of one of its steps. An event that is older than the
 * step changes nothing.
 */
export function withStep(deployment: Deployment, { kind, details }: ServiceEvent): Deployment {
  const { deployment_id: id, step: index, status, ms, error } = details
  if (!kind.endsWith('.step') || id !== deployment.id || typeof index !== 'number')
    return deployment
  const step = deployment.steps[index]
  const next = order.indexOf(status as Step['status'])
  if (!step || next <= order.indexOf(step.status)) return deployment
  const changed: Step = {
    ...step,
    status: status as Step['status'],
    ms: typeof ms === 'number' ? ms : null,
    error: typeof error === 'string' ? error : null,
  }
  return { ...deployment, steps: deployment.steps.with(index, changed) }
}
