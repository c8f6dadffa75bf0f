import type { Container } from '../api/types.ts'
import type { PeerStatus } from './peer-stack.ts'

/** A compose project of a host, as the labels of its containers describe it. */
export interface PeerProject {
  name: string
  /** Absolute path on the host; empty if the labels do not say. */
  directory: string
  /** Absolute paths, in merge order. */
  configFiles: readonly string[]
  /** The state of each container, such as `exited`. */
  states: readonly string[]
}

const prefix = 'com.docker.compose.'
const labels = {
  directory: `${prefix}project.working_dir`,
  configFiles: `${prefix}project.config_files`,
  oneoff: `${prefix}oneoff`,
}

type Facts = Pick<Container, 'stack' | 'service' | 'state' | 'labels' | 'created_at' | 'owner'>

/**
 * Returns the projects that containers belong to, also those that are stopped, sorted by name. The
 * service itself is none of them.
 */
export function peerProjects(containers: readonly Facts[]): PeerProject[] {
  const byName = new Map<string, Facts[]>()
  for (const container of containers) {
    const { stack, service, owner, labels: own } = container
    if (stack === null || service === null || owner === 'installation') continue
    if (own[labels.oneoff] === 'True') continue
    byName.set(stack, [...(byName.get(stack) ?? []), container])
  }
  return [...byName]
    .map(([name, group]) => projectOf(name, group))
    .sort((one, other) => (one.name < other.name ? -1 : 1))
}

function projectOf(name: string, group: readonly Facts[]): PeerProject {
  // Labels of older containers may name what the project had before.
  const newest = group.reduce((one, other) => (one.created_at < other.created_at ? other : one))
  const files = newest.labels[labels.configFiles] ?? ''
  return {
    name,
    directory: newest.labels[labels.directory] ?? '',
    configFiles: files === '' ? [] : files.split(','),
    states: group.map(({ state }) => state),
  }
}

/** Returns the status of a project with containers in these states. */
export function statusOf(states: readonly string[]): PeerStatus {
  const running = states.filter((state) => /^(running|paused|restarting)$/.test(state)).length
  if (states.every((state) => state === 'created')) return 'never-started'
  if (running === 0) return 'stopped'
  return running === states.length ? 'running' : 'partial'
}
