import { requireEveryHost, requirePermissions } from '../access/grant.ts'
import { type JudgePorts, judgeLaterWork, type Standing } from '../acts-as/judge-later-work.ts'
import { invalid } from '../errors.ts'
import type { Needs } from '../ports/ports.ts'
import type { Caller } from '../records/account.ts'
import type { Source } from '../records/source.ts'
import type { SourceAddress } from '../records/source-address.ts'
import { requireRegistry } from '../registries/allowed.ts'
import { ociTarget } from '../registries/oci-target.ts'
import { portOf, registryOrigin } from '../registries/origin.ts'

const managing = 'registries:manage' as const

type RegistryPorts = Needs<'registries' | 'settings'>

/**
 * Checks that a caller may have the service read a source. It sends credentials that all hosts
 * share, so the caller must be one who manages registries on every host.
 *
 * @throws 403 if the caller may not, 400 if the address is none or must not be dialed
 */
export async function requireSource(
  address: Pick<SourceAddress, 'url' | 'ref'>,
  caller: Caller,
  ports: RegistryPorts & Needs<'outbound'>,
): Promise<void> {
  requirePermissions(caller, [managing], 'sources')
  requireEveryHost(caller, 'sources')
  const target = ociTarget(address.url, address.ref)
  if (!target) {
    throw invalid(
      'body.url and body.ref: must be a repository such as oci://registry.example.org/team/shop, and a tag or a digest',
    )
  }
  const origin = registryOrigin(target.registry)
  const refusal = ports.outbound.refusal(origin.hostname, portOf(origin))
  if (refusal !== undefined) throw invalid(`body.url: ${refusal}`)
  await requireRegistry(`${target.registry}/${target.repository}`, 'body.url', caller, ports)
}

/**
 * Decides whether a source may be read now, and with whose rights.
 *
 * @throws what the store throws: it is unknown then whether it may be read, so it must not
 */
export async function judgeSource(
  { actsAs, url, ref }: Pick<Source, 'actsAs' | 'url' | 'ref'>,
  ports: JudgePorts & RegistryPorts,
): Promise<Exclude<Standing, { kind: 'unknown-author' }>> {
  const standing = await judgeLaterWork(
    {
      actsAs,
      hostId: 'local',
      needs: [{ part: 'looks', permission: managing, everyHost: true }],
      async check(actor) {
        const target = ociTarget(url, ref)
        if (!target) return
        await requireRegistry(`${target.registry}/${target.repository}`, 'url', actor, ports)
      },
    },
    ports,
  )
  if (standing.kind !== 'unknown-author') return standing
  return { kind: 'blocked', reason: 'the source has no account: save it again' }
}
