import { isPublicName } from '../../compose/reference/public-name.ts'
import { requireEveryHost, requirePermissions } from '../access/grant.ts'
import { type JudgePorts, judgeLaterWork, type Standing } from '../acts-as/judge-later-work.ts'
import { invalid, refusedByPolicy } from '../errors.ts'
import type { Needs } from '../ports/ports.ts'
import { SourceFailure } from '../ports/source-reader.ts'
import type { Caller } from '../records/account.ts'
import type { Source } from '../records/source.ts'
import type { SourceAddress } from '../records/source-address.ts'
import { requireRegistry } from '../registries/allowed.ts'
import { ociTarget } from '../registries/oci-target.ts'
import { portOf, registryOrigin } from '../registries/origin.ts'
import { checkRef, parsePlace } from './git-place.ts'

const managing = 'registries:manage' as const

type RegistryPorts = Needs<'registries' | 'settings'>

type Address = Pick<SourceAddress, 'kind' | 'url' | 'ref'>

/**
 * Checks that a caller may have the service read a source. It sends credentials that all hosts
 * share, so the caller must be one who manages registries on every host.
 *
 * @throws 403 if the caller may not, 400 if the address is none or must not be dialed
 */
export async function requireSource(
  address: Address,
  caller: Caller,
  ports: RegistryPorts & Needs<'outbound'>,
): Promise<void> {
  requirePermissions(caller, [managing], 'sources')
  requireEveryHost(caller, 'sources')
  const { host, port } = serverOf(address)
  const refusal = ports.outbound.refusal(host, port)
  if (refusal !== undefined) throw invalid(`body.url: ${refusal}`)
  await requireServer(address, 'body.url', caller, ports)
}

/** @throws 400 if the address is not in a valid form */
function serverOf({ kind, url, ref }: Address): { host: string; port: number } {
  if (kind === 'git') return gitServerOf(url, ref)
  const target = ociTarget(url, ref)
  if (!target) {
    throw invalid(
      'body.url and body.ref: must be a repository such as oci://registry.example.org/team/shop, and a tag or a digest',
    )
  }
  const origin = registryOrigin(target.registry)
  return { host: origin.hostname, port: portOf(origin) }
}

function gitServerOf(url: string, ref: string): { host: string; port: number } {
  try {
    checkRef(ref)
    return parsePlace(url)
  } catch (error) {
    if (!(error instanceof SourceFailure)) throw error
    throw invalid(`${error.problem === 'no-such-ref' ? 'body.ref' : 'body.url'}: ${error.message}`)
  }
}

/** @throws 403 if the server needs `stacks:privileged` and the caller does not have it */
async function requireServer(
  { kind, url, ref }: Address,
  path: string,
  caller: Pick<Caller, 'permissions'>,
  ports: RegistryPorts,
): Promise<void> {
  if (kind === 'git') return requirePublic(parsePlace(url).host, path, caller)
  const target = ociTarget(url, ref)
  if (!target) return
  await requireRegistry(`${target.registry}/${target.repository}`, path, caller, ports)
}

function requirePublic(host: string, path: string, { permissions }: Pick<Caller, 'permissions'>) {
  if (isPublicName(host) || permissions.has('stacks:privileged')) return
  throw refusedByPolicy(
    `${path}: the server ${JSON.stringify(host)} has no public DNS name: this needs the permission stacks:privileged`,
  )
}

/**
 * Decides whether a source may be read now, and with whose rights.
 *
 * @throws what the store throws: it is unknown then whether it may be read, so it must not
 */
export async function judgeSource(
  { actsAs, ...address }: Pick<Source, 'actsAs' | 'kind' | 'url' | 'ref'>,
  ports: JudgePorts & RegistryPorts,
): Promise<Exclude<Standing, { kind: 'unknown-author' }>> {
  const standing = await judgeLaterWork(
    {
      actsAs,
      needs: [{ part: 'looks', permission: managing, everyHost: true }],
      check: (actor) => requireServer(address, 'url', actor, ports),
    },
    ports,
  )
  if (standing.kind !== 'unknown-author') return standing
  return { kind: 'blocked', reason: 'the source has no account: save it again' }
}
