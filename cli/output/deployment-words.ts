import type { Deployment } from '../api/types.ts'
import { stepLines } from './step-lines.ts'
import { clean } from './text.ts'
import { duration } from './units.ts'

const results: Record<Deployment['kind'], string> = {
  deploy: 'deployed',
  rollback: 'rolled back',
  stop: 'stopped',
  restart: 'restarted',
  remove: 'removed',
  start: 'started',
  pause: 'paused',
  unpause: 'unpaused',
  scale: 'scaled',
  pull: 'pulled',
  build: 'built',
  down: 'down',
}

/**
 * Returns what a successful deployment did, with as many changes as lines are shown without
 * `--verbose`: `shop is deployed: 4 changes in 2.1s`.
 *
 * @param where what it went back to, behind its verb
 */
export function summaryOf(deployment: Deployment, where = ''): string {
  const { kind, started_at, finished_at } = deployment
  const done = stepLines(deployment).filter((line) => line.status === 'done').length
  const subject = subjectOf(deployment)
  if (done === 0) {
    const isWhole = kind === 'deploy' || kind === 'rollback'
    return isWhole ? `${subject} is up to date: nothing to do` : `${subject}: nothing to do`
  }
  const took = finished_at
    ? ` in ${duration(Date.parse(finished_at) - Date.parse(started_at))}`
    : ''
  return `${subject} is ${results[kind]}${where}: ${done} ${done === 1 ? 'change' : 'changes'}${took}`
}

/** Returns the services that an operation named, or the stack: `web of shop`. */
function subjectOf({ stack, services }: Deployment): string {
  const named = services.map(clean).join(', ')
  return named === '' ? clean(stack) : `${named} of ${clean(stack)}`
}

/** Returns what did not succeed: `the deployment`, `the stop`. */
export const workOf = ({ kind }: Pick<Deployment, 'kind'>): string =>
  kind === 'deploy' ? 'the deployment' : `the ${kind}`
