import { Failure, notFound } from '../../errors.ts'
import { refuseOwnFiles } from '../../owners/refuse-installation.ts'
import type { Engine } from '../../ports/engine.ts'
import type { Needs } from '../../ports/ports.ts'
import type { BackupJob } from '../../records/backup-job.ts'
import type { StackRecord } from '../../records/stack.ts'
import { type LoadPorts, loadFiles } from '../../stacks/load-project.ts'
import type { FoundSource, FoundStack } from './backup-parts.ts'
import { usesOf } from './stack-uses.ts'

type FindPorts = Needs<'stacks' | 'texts'> & LoadPorts

/**
 * Returns the sources of a job as they are now.
 *
 * @throws 404 for a stack that is not on the job's host, 409 for one in whose directory the service
 *   has files
 */
export async function findSources(
  { sources, hostId }: Pick<BackupJob, 'sources' | 'hostId'>,
  engine: Engine,
  ports: FindPorts,
): Promise<FoundSource[]> {
  const found: FoundSource[] = []
  for (const source of sources) {
    if (source.kind !== 'stack') {
      found.push(source as FoundSource)
      continue
    }
    const stack = await ports.stacks.find(source.name)
    if (!stack) throw notFound(`stack ${source.name}: there is no such stack`)
    if (stack.hostId !== hostId) {
      throw notFound(`stack ${source.name}: it is on another host than the job`)
    }
    await refuseOwnFiles(stack, engine)
    found.push(await foundStack(stack, engine, ports))
  }
  return found
}

/**
 * Returns the existing named volumes of a stack, external ones included, because it cannot start
 * without them, and everything that its services use. If the stack's files no longer load, the
 * volumes are those with the stack's label.
 */
async function foundStack(
  stack: StackRecord,
  engine: Engine,
  ports: FindPorts,
): Promise<FoundStack> {
  const { id: name, directory, keptVolumes: kept } = stack
  const project = await loaded(stack, [], ports)
  const isPartial = project && Object.keys(project.disabled_services).length > 0
  const whole = (isPartial && (await loaded(stack, ['*'], ports))) || project
  const snapshot = await engine.observe(name)
  const declared = Object.values(whole?.volumes ?? {}).map((volume) => volume.name)
  const resolved = await engine.resolve({
    networks: [],
    images: [],
    volumes: [...declared, ...Object.values(kept)],
  })
  const existing = new Set(Object.keys(resolved.volumes))
  const uses = usesOf({ project, whole, snapshot, existing, kept })
  if (!project) {
    const volumes = snapshot.volumes.map(({ name, labels }) => ({
      key: labels['com.docker.compose.volume'] ?? name,
      name,
      external: false,
    }))
    return { kind: 'stack', name, directory, volumes, uses }
  }
  const volumes = Object.entries(project.volumes)
    .map(([key, { name, external = false }]) => ({ key, name, external }))
    .filter((volume) => existing.has(volume.name))
  return { kind: 'stack', name, directory, volumes, uses }
}

/** Returns the project of a stack, or undefined if its files do not load. */
async function loaded(stack: StackRecord, profiles: string[], ports: FindPorts) {
  const { environment, files } = stack
  try {
    // The host's reach is fine here: the files were allowed when deployed, and nothing is started.
    const reading = { environment, reach: 'host' as const, profiles }
    return (await loadFiles(stack, files, reading, ports)).project
  } catch (error) {
    if (error instanceof Failure && error.status < 500) return undefined
    throw error
  }
}
