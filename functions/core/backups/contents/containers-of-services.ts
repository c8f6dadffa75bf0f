import { conflict } from '../../errors.ts'
import { containersUsing, type HostPlaces } from '../../hosts/containers-using.ts'
import { findContainer } from '../../hosts/find-container.ts'
import type { Engine } from '../../ports/engine.ts'
import type { BackupJob } from '../../records/backup-job.ts'
import type { StoppedContainer } from '../../records/backup-run.ts'
import type { BackupPart } from './backup-parts.ts'

/** A service of a stack. */
export interface ServiceName {
  stack: string
  service: string
}

/**
 * Returns the service that a job names: `<stack>/<service>`, or only a service if the job has one
 * stack. Returns undefined if the stack is ambiguous.
 */
export function serviceNamed(
  text: string,
  { sources }: Pick<BackupJob, 'sources'>,
): ServiceName | undefined {
  const [first = '', second] = text.split('/')
  if (second !== undefined) return { stack: first, service: second }
  const stacks = sources.flatMap((source) => (source.kind === 'stack' ? [source.name] : []))
  const [only, ...others] = new Set(stacks)
  return only === undefined || others.length > 0 ? undefined : { stack: only, service: first }
}

/** Returns the running containers of a service, in order of their number. */
export async function runningContainers({ stack, service }: ServiceName, engine: Engine) {
  const containers = await engine.projectContainers(stack)
  return containers
    .filter((one) => one.service === service && one.state === 'running' && !one.oneoff)
    .sort((a, b) => a.number - b.number)
}

/** A container to stop and when it was started. */
type Running = StoppedContainer & { startedAt: string | null }

/** Returns the containers to stop while a job's parts are read, most recently started first. */
export async function containersToStop(
  job: BackupJob,
  parts: readonly BackupPart[],
  read: Omit<HostPlaces, 'volumes'>,
  engine: Engine,
): Promise<StoppedContainer[]> {
  const { stopServices } = job
  if (stopServices === false) return []
  const found =
    stopServices === true
      ? await containersUsing({ ...read, volumes: volumesOf(parts) }, engine)
      : await ofServices(stopServices, job, engine)
  const latestFirst = found.sort((a, b) => ((a.startedAt ?? '') < (b.startedAt ?? '') ? 1 : -1))
  return latestFirst.map(({ id, name }) => ({ id, name }))
}

const volumesOf = (parts: readonly BackupPart[]) =>
  parts.flatMap((part) => (part.kind === 'volume' ? [part.source] : []))

async function ofServices(names: string[], job: BackupJob, engine: Engine): Promise<Running[]> {
  const ids = new Set<string>()
  for (const name of names) {
    const named = serviceNamed(name, job)
    if (!named) throw conflict(`stop_services: ${name}: must name the stack, as <stack>/<service>`)
    for (const { id } of await runningContainers(named, engine)) ids.add(id)
  }
  const details = await Promise.all([...ids].map((id) => findContainer(id, engine)))
  return details.flatMap((one) => one ?? [])
}
