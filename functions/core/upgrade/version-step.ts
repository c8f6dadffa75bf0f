/** How a version follows another one. Versions are `major.minor.patch`; what follows is ignored. */
export type VersionStep = 'same' | 'patch' | 'next' | 'skips' | 'older' | 'unknown'

/**
 * Returns how a version follows the one that runs. Any minor version may be the last one of its
 * major version.
 */
export function versionStep(from: string, to: string): VersionStep {
  const [own, other] = [numbersOf(from), numbersOf(to)]
  if (!own || !other) return 'unknown'
  const [major, minor, patch] = own
  if (other[0] === major && other[1] === minor) {
    if (other[2] === patch) return 'same'
    return other[2] > patch ? 'patch' : 'older'
  }
  if (other[0] === major) {
    if (other[1] < minor) return 'older'
    return other[1] === minor + 1 ? 'next' : 'skips'
  }
  if (other[0] < major) return 'older'
  return other[0] === major + 1 && other[1] === 0 ? 'next' : 'skips'
}

function numbersOf(version: string): [number, number, number] | undefined {
  const found = /^(\d{1,6})\.(\d{1,6})\.(\d{1,6})(?:[-+].*)?$/.exec(version)
  return found ? [Number(found[1]), Number(found[2]), Number(found[3])] : undefined
}
