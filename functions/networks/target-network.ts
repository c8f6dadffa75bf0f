import { notFound } from '../core/errors.ts'
import { targetEngine } from '../core/hosts/target.ts'
import type { Needs } from '../core/ports/ports.ts'
import type { Caller } from '../core/records/account.ts'

/**
 * Returns the network with this ID or name on the host that a request is for, and that host.
 *
 * @throws 404 if there is none, and what `targetEngine` throws
 */
export async function targetNetwork(
  named: string,
  host: string | undefined,
  caller: Caller,
  ports: Needs<'engines' | 'hosts'>,
) {
  const { engine, hostFields } = await targetEngine(host, caller, ports)
  const networks = await engine.networks()
  const network =
    networks.find(({ id }) => id === named) ?? networks.find(({ name }) => name === named)
  if (!network) throw notFound(`there is no network ${named} on ${hostFields.host_name}`)
  return { network, engine, hostFields }
}
