import { ownEntry, serviceOf } from '../lookup.ts'
import { partBefore } from '../part-before.ts'
import type { Project } from '../project.ts'
import type { Service } from '../service.ts'
import { scaleOf } from '../used-resources.ts'
import type { Path } from '../yaml/tree.ts'
import type { LimitName } from './limits.ts'
import { portsIn } from './ranges.ts'
import { weigh } from './weigh.ts'

/** A count, and the position in the files with the largest share of it. */
export interface Measurement {
  count: number
  path: Path
}

export type Measurements = ReadonlyMap<LimitName, Measurement>

/** Adds up counts and records the position with the largest share of each. */
class Tally {
  readonly found = new Map<LimitName, Measurement & { largest: number }>()

  add(name: LimitName, count: number, path: Path): void {
    const before = this.found.get(name) ?? { count: 0, path, largest: count }
    const isLargest = count >= before.largest
    this.found.set(name, {
      count: before.count + count,
      path: isLargest ? path : before.path,
      largest: isLargest ? count : before.largest,
    })
  }
}

/**
 * Counts what a project expands to, before anything expands: containers, ports, endpoints, links,
 * dependencies, and the size of the requests that create the containers. The running time depends
 * on the length of the project's text, not on its numbers.
 */
export function measure(project: Project): Measurements {
  const tally = new Tally()
  const whole = weigh(project)
  tally.add('values', whole.values, [])
  tally.add('characters', whole.characters, [])
  const names = Object.keys(project.services)
  tally.add('services', names.length, ['services'])
  for (const name of names) measureService(tally, project, name)
  return tally.found
}

function measureService(tally: Tally, project: Project, name: string): void {
  const service = serviceOf(project, name)
  const at = (key: string): Path => ['services', name, key]
  const scale = containersOf(service)
  const networks = Object.keys(service.networks ?? {}).length
  tally.add('containers', scale, at(service.scale === undefined ? 'deploy' : 'scale'))
  const exposed = (service.expose ?? []).reduce((sum, text) => sum + portsIn(text), 0)
  tally.add('ports', scale * (service.ports?.length ?? 0), at('ports'))
  tally.add('ports', scale * exposed, at('expose'))
  tally.add('endpoints', scale * networks, at('networks'))
  tally.add('links', scale * Math.max(1, networks) * linkNames(project, service), at('links'))
  tally.add('dependencies', scale * waits(project, service), at('depends_on'))
  for (const key of ['pre_start', 'post_start', 'pre_stop'] as const) {
    const times = key === 'pre_start' ? 1 : scale
    tally.add('hooks', times * (service[key]?.length ?? 0), at(key))
  }
  const body = bodyOf(project, service)
  tally.add('body_values', scale * body.values, ['services', name])
  tally.add('body_characters', scale * body.characters, ['services', name])
}

const containersOf = (service: Service) => Math.max(0, scaleOf(service))

/** Each container of a linked service gets three names. */
function linkNames(project: Project, service: Service): number {
  const linked = (service.links ?? []).map((link) =>
    ownEntry(project.services, partBefore(link, ':')),
  )
  const containers = linked.reduce((sum, other) => sum + (other ? containersOf(other) : 0), 0)
  return 3 * containers + (service.external_links?.length ?? 0)
}

function waits(project: Project, service: Service): number {
  const names = Object.keys(service.depends_on ?? {})
  const others = names.map((name) => ownEntry(project.services, name))
  return others.reduce((sum, other) => sum + (other ? containersOf(other) : 0), 0)
}

/**
 * Returns the size of the request that creates a container, including the contents of its configs
 * and secrets. The build is excluded because it happens once.
 */
function bodyOf(project: Project, { build: _, develop: __, ...service }: Service) {
  const files = [
    ...(service.configs ?? []).map(({ source }) => ownEntry(project.configs, source)?.content),
    ...(service.secrets ?? []).map(({ source }) => ownEntry(project.secrets, source)?.content),
  ]
  const profiles = (service.security_opt ?? []).map(
    (option) => project.seccomp_profiles?.[option.replace(/^seccomp[=:]/, '')],
  )
  const { values, characters } = weigh(service)
  const contents = [...files, ...profiles].reduce((sum, text) => sum + (text?.length ?? 0), 0)
  const place = project.working_dir.length + project.config_files.join(',').length
  return { values, characters: characters + contents + place }
}
