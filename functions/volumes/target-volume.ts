import { notFound } from '../core/errors.ts'
import { targetEngine } from '../core/hosts/target.ts'
import type { Needs } from '../core/ports/ports.ts'
import type { Caller } from '../core/records/account.ts'

/**
 * Returns the volume with this name on the host that a request is for, and that host.
 *
 * @throws 404 if there is none, and what `targetEngine` throws
 */
export async function targetVolume(
  name: string,
  host: string | undefined,
  caller: Caller,
  ports: Needs<'engines' | 'hosts'>,
) {
  const { engine, hostFields } = await targetEngine(host, caller, ports)
  const volume = (await engine.volumes()).find((one) => one.name === name)
  if (!volume) throw notFound(`there is no volume ${name} on ${hostFields.host_name}`)
  return { volume, engine, hostFields }
}
