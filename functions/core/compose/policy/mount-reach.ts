import type { Service } from '../service.ts'
import type { Path } from '../yaml/tree.ts'
import type { Finding } from './policy.ts'

/** Mount options with which a container reaches beyond its own mounts. */
export function* mountReach(service: Service, at: Path): Generator<Finding> {
  for (const [index, { type, bind, target }] of (service.volumes ?? []).entries()) {
    if (!ownTypes.has(type)) {
      yield { path: [...at, 'volumes', index], detail: `a mount of the type ${type}`, near: target }
    }
    const propagation = bind?.propagation
    if (propagation === undefined || ownPropagation.has(propagation)) continue
    const detail = `mounts of the container reach the host with ${propagation}`
    yield { path: [...at, 'volumes', index], detail, near: target }
  }
  for (const [index, entry] of (service.tmpfs ?? []).entries()) {
    const option = optionsOf(entry).find((one) => !ownTmpfsOption.test(one))
    if (option === undefined) continue
    yield { path: [...at, 'tmpfs', index], detail: `the tmpfs option ${option}`, near: entry }
  }
}

/** Binds have a rule of their own. */
const ownTypes = new Set(['bind', 'volume', 'tmpfs', 'image'])

/** With these no mount goes from the container to the host. */
const ownPropagation = new Set(['private', 'rprivate', 'slave', 'rslave'])

const optionsOf = (entry: string) =>
  entry
    .slice(entry.indexOf(':') < 0 ? entry.length : entry.indexOf(':') + 1)
    .split(',')
    .filter((option) => option !== '')

const ownTmpfsOption =
  /^(r[wo]|(no)?(exec|suid|dev|atime|diratime)|a?sync|relatime|strictatime|(size|nr_blocks|nr_inodes)=\d+[kmgKMG%]?|mode=[0-7]+|[ug]id=\d+)$/
