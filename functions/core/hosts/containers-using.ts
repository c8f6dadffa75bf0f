import type { Engine } from '../ports/engine.ts'
import type { ContainerDetails } from '../records/container.ts'
import { findContainer } from './find-container.ts'

/** Volumes and directories of a host. */
export interface HostPlaces {
  volumes: readonly string[]
  directories: readonly string[]
  /** Paths in the directories that lead elsewhere, by a link. What is there does not count. */
  escapingPaths?: ReadonlySet<string>
}

/** Returns the running containers that mount one of the volumes, or a path in a directory. */
export async function containersUsing(
  { volumes, directories, escapingPaths = new Set() }: HostPlaces,
  engine: Engine,
): Promise<ContainerDetails[]> {
  const uses = ({ mounts }: ContainerDetails) =>
    mounts.some(({ type, source }) =>
      type === 'volume'
        ? volumes.includes(source)
        : !escapingPaths.has(source) && directories.some((directory) => isUnder(source, directory)),
    )
  const running = await engine.containers({ all: false })
  const details = await Promise.all(running.map(({ id }) => findContainer(id, engine)))
  return details.flatMap((one) => (one && uses(one) ? [one] : []))
}

const isUnder = (path: string, directory: string) =>
  path === directory || path.startsWith(`${directory}/`)
