import { label } from '../../compose/create/labels.ts'
import { ownEntry } from '../../compose/lookup.ts'
import type { Reach } from '../../compose/project.ts'
import { unusable } from '../errors.ts'
import { refuseOwnFiles, refuseOwnStack } from '../owners/refuse-installation.ts'
import { refuseReservedStack } from '../owners/reserved-names.ts'
import type { Engine } from '../ports/engine.ts'
import type { Needs } from '../ports/ports.ts'
import type { ContainerSummary } from '../records/container.ts'
import type { Host } from '../records/host.ts'
import { directoryRefusal } from './check-directory.ts'
import { isUp, type RunningProject, runningProjects } from './projects.ts'
import { checkRunning } from './running-policy.ts'

type FindPorts = Needs<'engines' | 'stacks'>

/**
 * Returns the running project with this name if the caller may adopt it. Call it again at the end
 * of an adoption: the containers may have changed since it began.
 *
 * @throws 422 if no project with this name runs (the message lists those that do), 409 if its
 *   directory is that of a stack or the service itself runs in it, 403 if it or its name needs
 *   `stacks:privileged`
 */
export async function getAdoptable(
  name: string,
  host: Pick<Host, 'id' | 'name' | 'stacksDirectory'>,
  reach: Reach,
  ports: FindPorts,
): Promise<RunningProject> {
  refuseReservedStack(name, reach)
  const engine = await ports.engines.on(host.id)
  const projects = await projectsOn(engine)
  const project = projects.find((one) => one.name === name)
  if (!project) {
    const names = projects.map((one) => one.name).join(', ') || 'none'
    throw unusable(`project ${name}: no such project runs on host ${host.name}; found: ${names}`)
  }
  const refusal = directoryRefusal({ project, host, reach, stacks: await ports.stacks.list() })
  if (refusal) throw refusal
  await refuseOwnStack(name, engine)
  await refuseOwnFiles({ id: name, directory: project.workingDir }, engine)
  if (reach === 'stack') await checkRunning(project, engine)
  return project
}

/** Returns the compose projects that run on a host, sorted by name. */
export async function projectsOn(engine: Engine): Promise<RunningProject[]> {
  const containers = await engine.containers({ all: true })
  return runningProjects(await withOwnLabels(containers, engine))
}

/**
 * Returns the containers that a compose tool labelled. Leaves out those whose config hash comes
 * from their image, such as one in which the classic builder runs a step: the author of the image
 * chose their labels.
 */
async function withOwnLabels(
  containers: readonly ContainerSummary[],
  engine: Engine,
): Promise<ContainerSummary[]> {
  const labelled = containers.filter(
    ({ labels }) => labels[label.configHash] && labels[label.number],
  )
  const images = [...new Set(labelled.map(({ imageId }) => imageId))]
  if (images.length === 0) return []
  const resolved = await engine.resolve({ networks: [], volumes: [], images })
  return labelled.filter(({ imageId, state, labels }) => {
    const image = ownEntry(resolved.images, imageId)
    // The Engine keeps the image of a running container. If that cannot be found, it is unknown
    // where the labels come from.
    if (!image) return !isUp(state)
    return image.labels?.[label.configHash] !== labels[label.configHash]
  })
}
