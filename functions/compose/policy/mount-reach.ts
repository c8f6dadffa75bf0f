import type { Service } from '../service.ts'
import type { Path } from '../yaml/tree.ts'
import type { Finding } from './finding.ts'

/** Yields mount options that affect more than the mounts of the container. */
export function* mountReach(service: Service, at: Path): Generator<Finding> {
  for (const [index, { type, bind, target }] of (service.volumes ?? []).entries()) {
    if (!allowedTypes.has(type)) {
      yield { path: [...at, 'volumes', index], detail: `a mount of the type ${type}`, near: target }
    }
    const propagation = bind?.propagation
    if (propagation === undefined || allowedPropagations.has(propagation)) continue
    const detail = `the propagation ${propagation} makes mounts of the container appear on the host`
    yield { path: [...at, 'volumes', index], detail, near: target }
  }
  for (const [index, entry] of (service.tmpfs ?? []).entries()) {
    const option = optionsOf(entry).find((one) => !allowedTmpfsOption.test(one))
    if (option === undefined) continue
    yield { path: [...at, 'tmpfs', index], detail: `the tmpfs option ${option}`, near: entry }
  }
}

/** Another rule checks the sources of binds. */
const allowedTypes = new Set(['bind', 'volume', 'tmpfs', 'image'])

/** These do not propagate mounts from the container to the host. */
const allowedPropagations = new Set(['private', 'rprivate', 'slave', 'rslave'])

const optionsOf = (entry: string) =>
  entry
    .slice(entry.indexOf(':') < 0 ? entry.length : entry.indexOf(':') + 1)
    .split(',')
    .filter((option) => option !== '')

const allowedTmpfsOption =
  /^(r[wo]|(no)?(exec|suid|dev|atime|diratime)|a?sync|relatime|strictatime|(size|nr_blocks|nr_inodes)=\d+[kmgKMG%]?|mode=[0-7]+|[ug]id=\d+)$/
