import { compareBytes } from '../hash/hash-fields.ts'
import { serviceOf } from '../lookup.ts'
import { partBefore } from '../part-before.ts'
import type { Project } from '../project.ts'
import type { Service } from '../service.ts'

/** The labels by which docker compose recognizes the objects of a project. */
export const label = {
  project: 'com.docker.compose.project',
  service: 'com.docker.compose.service',
  number: 'com.docker.compose.container-number',
  oneoff: 'com.docker.compose.oneoff',
  /** The random part of the name of a one-off container. */
  slug: 'com.docker.compose.slug',
  configHash: 'com.docker.compose.config-hash',
  dependsOn: 'com.docker.compose.depends_on',
  image: 'com.docker.compose.image',
  configFiles: 'com.docker.compose.project.config_files',
  workingDir: 'com.docker.compose.project.working_dir',
  replaced: 'com.docker.compose.replace',
  network: 'com.docker.compose.network',
  volume: 'com.docker.compose.volume',
  version: 'com.docker.compose.version',
  hook: 'com.docker.compose.hook',
  builder: 'com.docker.compose.image.builder',
  /** Our own label: the hash of inline configs, which Compose's config hash does not cover. */
  contents: 'container-stacks.config-contents',
} as const

/** The value of `com.docker.compose.version`: the Compose release whose conventions we follow. */
export const composeVersion = '5.5.0'

/**
 * Returns the labels of a container except `com.docker.compose.image`. The Engine port adds that
 * one, because the image ID is certain only at the time of the call.
 */
export function containerLabels(
  project: Project,
  container: {
    service: string
    number: number
    hash: string
    contents?: string
    replaces?: string
  },
): Record<string, string> {
  const service = serviceOf(project, container.service)
  return {
    ...service.labels,
    [label.project]: project.name,
    [label.service]: container.service,
    [label.number]: String(container.number),
    [label.oneoff]: 'False',
    [label.configHash]: container.hash,
    [label.dependsOn]: dependsOnLabel(service),
    [label.configFiles]: project.config_files.join(','),
    [label.workingDir]: project.working_dir,
    [label.version]: composeVersion,
    ...(container.contents === undefined ? {} : { [label.contents]: container.contents }),
    ...(container.replaces === undefined ? {} : { [label.replaced]: container.replaces }),
  }
}

/** Returns the labels of an image that is built for a service. */
export function builtImageLabels(project: Project, service: string): Record<string, string> {
  return {
    [label.project]: project.name,
    [label.service]: service,
    [label.version]: composeVersion,
    [label.builder]: 'classic',
  }
}

/**
 * Formats dependencies for the label of a container: `db:service_healthy:false,…`, sorted by name.
 */
export function dependsOnLabel(service: Service): string {
  return Object.entries(service.depends_on ?? {})
    .sort(([left], [right]) => compareBytes(left, right))
    .map(([name, { condition, restart }]) => `${name}:${condition}:${restart ?? false}`)
    .join(',')
}

/**
 * Returns the services that a container depends on according to its label. Older formats of the
 * label have names only.
 */
export function dependenciesOf(labels: Record<string, string>): string[] {
  return (labels[label.dependsOn] ?? '')
    .split(',')
    .map((entry) => partBefore(entry, ':'))
    .filter((name) => name !== '')
}

/** Returns the name of a service's container with this number. */
export function containerName(project: Project, service: string, number: number): string {
  return serviceOf(project, service).container_name ?? `${project.name}-${service}-${number}`
}
