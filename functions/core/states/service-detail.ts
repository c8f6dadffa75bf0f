import { endingOf } from './ending.ts'
import type { StackContainer, StackService } from './stack-state.ts'

/**
 * Returns what a user should know about a container of a service beside its state, or about a
 * service without containers; null if that is nothing.
 *
 * @param now milliseconds since the epoch
 */
export function detailOf(
  service: StackService,
  container: StackContainer | undefined,
  now: number,
): string | null {
  const about = container ? containerDetail(container, service, now) : absenceDetail(service, now)
  const parts = [about, countDetail(service)].filter((part) => part !== null)
  return parts.length > 0 ? parts.join('; ') : null
}

function containerDetail(
  container: StackContainer,
  service: StackService,
  now: number,
): string | null {
  const { state, run, health } = container
  if (state === 'exited') return endDetail(container, service, now)
  if (state === 'paused') return pauseDetail(service, now)
  if (state === 'dead') return 'the Engine could not remove it'
  if (state === 'created') {
    return run && run.startError !== null
      ? `could not be started: ${run.startError}`
      : 'not started'
  }
  if (state === 'restarting' || service.state === 'restarting') return restartDetail(container)
  if (health !== 'unhealthy') return null
  const said = run?.healthOutput
  return said === undefined ? 'its health check fails' : `its health check fails: ${said}`
}

const pauseDetail = ({ verb }: StackService, now: number): string =>
  verb?.verb === 'pause' ? `paused by ${verb.by} ${timeText(verb.at, now)}` : 'paused on the host'

function restartDetail({ run }: StackContainer): string | null {
  if (!run || run.restarts === 0) return null
  const times = run.restarts === 1 ? 'once' : `${run.restarts} times`
  return `restarted ${times} by its restart policy`
}

function endDetail(container: StackContainer, service: StackService, now: number): string | null {
  const { run, stop, exitCode } = container
  switch (endingOf(container, service.engine)) {
    case 'unstartable':
      return `could not be started: ${run?.startError}`
    case 'restarts':
      return 'its restart policy is about to start it'
    case 'verb':
      return `stopped by ${stop?.by} ${timeText(stop?.at ?? now, now)}`
    case 'event':
      return `stopped on the host ${timeText(stop?.at ?? now, now)}`
    case 'hand':
      return 'stopped on the host'
    case 'success':
      return service.isJob ? null : 'ended with exit code 0'
    case 'signal':
      return `ended by a signal (exit code ${exitCode})`
    default:
      return run?.outOfMemory ? 'ran out of memory' : `ended with exit code ${exitCode}`
  }
}

function absenceDetail(
  { state, expected, verb, inFile }: StackService,
  now: number,
): string | null {
  if (inFile?.inactive) return 'no deploy has brought it up'
  if (expected === 0 || state === 'starting') return null
  if (verb?.verb === 'stop') return `stopped by ${verb.by} ${timeText(verb.at, now)}`
  return state === 'failed' ? 'its containers were removed outside the service' : null
}

/** Returns why the number of containers is not that of the compose file. */
function countDetail({ expected, inFile, existing, state, verb }: StackService): string | null {
  const said = inFile?.containers ?? 0
  if (verb?.replicas !== undefined && verb.replicas !== said) {
    return `scaled to ${verb.replicas}, compose file says ${said}`
  }
  if (existing.length > said && inFile) {
    return `${existing.length} containers exist, compose file says ${said}`
  }
  return state === 'missing' ? `${existing.length} of ${expected} containers exist` : null
}

const day = 86_400_000

/** Returns the time of a day, with the date unless it is today. UTC. */
function timeText(at: number, now: number): string {
  const text = new Date(at).toISOString()
  const time = `${text.slice(11, 16)} UTC`
  return Math.floor(at / day) === Math.floor(now / day) ? time : `${text.slice(0, 10)} ${time}`
}
