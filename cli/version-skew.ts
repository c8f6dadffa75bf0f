/**
 * Returns a warning if a client and a service are more than one minor version apart, or of two
 * major versions. Returns undefined for versions that are tested together, and for texts that are
 * not versions.
 */
export function skewWarning(client: string, service: string): string | undefined {
  const [own, other] = [numbersOf(client), numbersOf(service)]
  if (!own || !other) return undefined
  if (own.major === other.major && Math.abs(own.minor - other.minor) <= 1) return undefined
  const older = isOlder(own, other) ? 'client' : 'service'
  return (
    `the client ${client} and the service ${service} are more than one minor version apart: ` +
    `some commands may fail. Upgrade the ${older}.`
  )
}

interface Numbers {
  major: number
  minor: number
}

function numbersOf(version: string): Numbers | undefined {
  const [, major, minor] = /^(\d{1,6})\.(\d{1,6})\.\d{1,6}(?:[-+].*)?$/.exec(version) ?? []
  return major && minor ? { major: Number(major), minor: Number(minor) } : undefined
}

const isOlder = (one: Numbers, other: Numbers) =>
  one.major === other.major ? one.minor < other.minor : one.major < other.major
