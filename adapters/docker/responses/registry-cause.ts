import { addressProblem } from '../../../functions/core/net/addresses.ts'

const unreachable = 'the registry cannot be reached'

/** Causes that say nothing about an address. */
const causes: readonly (readonly [RegExp, string])[] = [
  [/\blookup \S{1,300}(?: on \S{1,60})?: no such host/, 'host name not found'],
  [
    /\blookup \S{1,300}.{0,80}(?:Temporary failure in name resolution|server misbehaving|i\/o timeout)/,
    'the host name could not be resolved right now',
  ],
  [/x509: certificate has expired or is not yet valid/, 'its certificate is not valid now'],
  [/x509: (?:certificate is valid for|cannot validate)/, 'its certificate is for another name'],
  [/x509: certificate/, 'its certificate is not trusted'],
]

/** Causes that say whether something listens at an address. */
const dialed =
  /dial tcp \[?([0-9a-f.:]{2,39})\]?:\d{1,5}: (?:connect: )?(connection refused|no route to host|network is unreachable|i\/o timeout|connection timed out|connection reset)/g

const dialCauses: Record<string, string> = {
  'connection refused': 'connection refused',
  'no route to host': 'host unreachable',
  'network is unreachable': 'network unreachable',
  'i/o timeout': 'no response in time',
  'connection timed out': 'no response in time',
  'connection reset': 'the connection was reset',
}

/**
 * Returns the text for callers of an Engine that cannot reach a registry, with the cause if it is
 * known. A registry can send the Engine to any address, so whether something listens there is only
 * said of addresses to which the service itself would connect for its users: not of the loopback
 * interface of the host, and not of metadata services.
 */
export function unreachableRegistry(message: string): string {
  const cause = causes.find(([known]) => known.test(message))?.[1] ?? dialCause(message)
  return cause === undefined
    ? `${unreachable}, or the server is not a registry`
    : `${unreachable}: ${cause}`
}

function dialCause(message: string): string | undefined {
  const all = [...message.matchAll(dialed)]
  if (all.some(([, address = '']) => addressProblem(address) !== undefined)) return undefined
  return dialCauses[all.at(-1)?.[2] ?? '']
}
