import { label } from '../compose/create/labels.ts'
import { relativeTo } from '../compose/load/paths.ts'
import type { ContainerState, ContainerSummary } from '../engine/engine.ts'

/** A compose project as its containers' labels tell of it. */
export interface RunningProject {
  name: string
  /** Absolute, on the host; empty where the containers do not say. */
  workingDir: string
  /** Absolute, in merge order. */
  configFiles: string[]
  /** One for each container, by service. */
  services: { name: string; containerId: string; image: string; state: string }[]
}

/** True for a container with processes. */
export const isUp = (state: ContainerState): boolean =>
  state === 'running' || state === 'paused' || state === 'restarting'

/** Returns the compose projects of which at least one container runs, by name. */
export function runningProjects(containers: readonly ContainerSummary[]): RunningProject[] {
  const groups = new Map<string, ContainerSummary[]>()
  for (const container of containers) {
    if (!container.stack || !container.service || container.labels[label.oneoff] === 'True')
      continue
    const group = groups.get(container.stack)
    if (group) group.push(container)
    else groups.set(container.stack, [container])
  }
  return [...groups]
    .filter(([, group]) => group.some(({ state }) => isUp(state)))
    .map(([name, group]) => projectOf(name, group))
    .sort((one, other) => (one.name < other.name ? -1 : 1))
}

function projectOf(name: string, group: ContainerSummary[]): RunningProject {
  // Containers made at different times may say different things: the newest knows best.
  const newest = group.reduce((one, other) => (one.createdAt < other.createdAt ? other : one))
  const files = newest.labels[label.configFiles] ?? ''
  return {
    name,
    workingDir: newest.labels[label.workingDir] ?? '',
    configFiles: files === '' ? [] : files.split(','),
    services: group
      .map(({ service, id, image, state }) => ({ name: service!, containerId: id, image, state }))
      .sort((one, other) => (one.name < other.name ? -1 : 1)),
  }
}

/** The compose files as they are named in the project's directory; `compose.yaml` where they lie elsewhere. */
export function composeFilesIn({ workingDir, configFiles }: RunningProject) {
  const inside = configFiles.map((file) => relativeTo(workingDir, file))
  const known = inside.filter((file) => file !== undefined)
  const whole = known.length > 0 && known.length === configFiles.length
  return { names: whole ? known : ['compose.yaml'], whole }
}
