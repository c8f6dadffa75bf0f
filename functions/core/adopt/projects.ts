import { label } from '../../compose/create/labels.ts'
import { relativeTo } from '../../compose/paths.ts'
import type { ContainerState } from '../../compose/snapshot.ts'
import { groupBy } from '../group-by.ts'
import type { ContainerSummary } from '../records/container.ts'

/** A compose project as the labels of its containers describe it. */
export interface RunningProject {
  name: string
  /** Absolute path on the host; empty if the labels do not say. */
  workingDir: string
  /** Absolute paths, in merge order. */
  configFiles: string[]
  /** One entry for each container, sorted by service. */
  services: { name: string; containerId: string; image: string; state: string }[]
}

/** Returns whether a container in this state has processes. */
export const isUp = (state: ContainerState): boolean =>
  state === 'running' || state === 'paused' || state === 'restarting'

/** Returns the compose projects with at least one running container, sorted by name. */
export function runningProjects(containers: readonly ContainerSummary[]): RunningProject[] {
  const ofServices = containers.flatMap((container) => {
    const { stack, service, labels } = container
    return stack && service && labels[label.oneoff] !== 'True' ? [{ ...container, stack }] : []
  })
  return [...groupBy(ofServices, ({ stack }) => stack)]
    .filter(([, group]) => group.some(({ state }) => isUp(state)))
    .map(([name, group]) => projectOf(name, group))
    .sort((one, other) => (one.name < other.name ? -1 : 1))
}

function projectOf(name: string, group: ContainerSummary[]): RunningProject {
  // The labels of containers created at different times may differ; the newest are the most
  // accurate.
  const newest = group.reduce((one, other) => (one.createdAt < other.createdAt ? other : one))
  const files = newest.labels[label.configFiles] ?? ''
  return {
    name,
    workingDir: newest.labels[label.workingDir] ?? '',
    configFiles: files === '' ? [] : files.split(','),
    services: group
      .flatMap(({ service, id, image, state }) =>
        service === null ? [] : { name: service, containerId: id, image, state },
      )
      .sort((one, other) => (one.name < other.name ? -1 : 1)),
  }
}

/**
 * Returns the names of the compose files relative to the project's directory. If some are
 * elsewhere, the only name is `compose.yaml` and `whole` is false.
 */
export function composeFilesIn({ workingDir, configFiles }: RunningProject) {
  const inside = configFiles.map((file) => relativeTo(workingDir, file))
  const known = inside.filter((file) => file !== undefined)
  const whole = known.length > 0 && known.length === configFiles.length
  return { names: whole ? known : ['compose.yaml'], whole }
}
