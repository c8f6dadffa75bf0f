import { Failure, notFound } from '../errors.ts'
import type { Engine } from '../ports/engine.ts'
import type { Needs } from '../ports/ports.ts'
import type { BackupJob } from '../records/backup-job.ts'
import type { StackRecord } from '../records/stack.ts'
import { type LoadPorts, loadFiles } from '../stacks/project.ts'
import type { FoundSource } from './parts.ts'
import type { SavedVolume } from './saved-stack.ts'

type FindPorts = Needs<'stacks' | 'texts'> & LoadPorts

/**
 * Returns the sources of a job as they are now.
 *
 * @throws 404 for a stack that is not on the job's host
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
    found.push({ ...source, kind: 'stack', volumes: await volumesOf(stack, engine, ports) })
  }
  return found
}

/**
 * Returns the existing named volumes of a stack, external ones included, because it cannot start
 * without them. If the stack's files no longer load, returns the volumes with the stack's label.
 */
async function volumesOf(
  stack: StackRecord,
  engine: Engine,
  ports: FindPorts,
): Promise<SavedVolume[]> {
  const { environment, files } = stack
  // The host's reach is fine here: the files were allowed when deployed, and nothing is started.
  const loaded = await loadFiles(stack, files, { environment, reach: 'host' }, ports).catch(
    (error) => {
      if (error instanceof Failure && error.status < 500) return undefined
      throw error
    },
  )
  if (!loaded) {
    const { volumes } = await engine.observe(stack.id)
    const keyOf = (labels: Record<string, string>) => labels['com.docker.compose.volume']
    return volumes.map(({ name, labels }) => ({
      key: keyOf(labels) ?? name,
      name,
      external: false,
    }))
  }
  const named = Object.entries(loaded.project.volumes).map(([key, { name, external = false }]) => ({
    ...{ key, name, external },
  }))
  const { volumes } = await engine.resolve({
    ...{ networks: [], images: [] },
    volumes: named.map(({ name }) => name),
  })
  return named.filter(({ name }) => Object.hasOwn(volumes, name))
}
