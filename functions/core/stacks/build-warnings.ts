import { imageOf } from '../../compose/used-resources.ts'
import { callHost } from '../hosts/call-host.ts'
import { ignoreFailure } from '../ignore-error.ts'
import type { Needs } from '../ports/ports.ts'
import type { ImageBuild, StackRecord } from '../records/stack.ts'
import { textsOf } from './build-definition.ts'
import { changedBuilds, isSameTree, staleText } from './changed-builds.ts'
import { hostOwned } from './host-owned.ts'
import { type LoadPorts, loadFiles } from './load-project.ts'

/**
 * Returns a warning for each service whose image was built from other files than those that the
 * stack has, or with other attributes; none if the files do not load or the host does not respond.
 * Loads nothing as long as the files are those of the builds.
 */
export async function buildWarnings(
  stack: StackRecord,
  ports: Needs<'clock' | 'engines' | 'hosts'> & LoadPorts,
): Promise<string[]> {
  const { id, files, builds = {}, environment, profiles, writable } = stack
  const now = textsOf(files, environment)
  const isCurrent = (build: ImageBuild) =>
    isSameTree(build.files, files) && (build.texts === undefined || build.texts === now)
  if (Object.values(builds).every(isCurrent)) return []
  const loaded = await loadFiles(
    stack,
    files,
    { environment, profiles, reach: 'host' },
    ports,
  ).catch(ignoreFailure('load a stack for its builds'))
  if (!loaded) return []
  const { project, read } = loaded
  const images = Object.entries(project.services).flatMap(([service, { build }]) =>
    build ? imageOf(project, service) : [],
  )
  const found = await callHost(stack.hostId, ports, (engine) =>
    engine.resolve({ images, networks: [], volumes: [] }),
  ).catch(ignoreFailure('read the images of the builds of a stack'))
  if (!found) return []
  const owned = hostOwned(project, Object.keys(read), writable)
  const built = { stack, files, project, images: found.images, owned, loaded }
  return (await changedBuilds(built, ports)).map((one) => staleText(one, id))
}
