import { forbidden, invalid, notFound } from '../errors.ts'
import type { Stored } from '../ports/collection.ts'
import type { Engine } from '../ports/engine.ts'
import type { Needs } from '../ports/ports.ts'
import type { Caller } from '../records/account.ts'
import type { Host } from '../records/host.ts'
import type { HostFields } from './host-fields.ts'
import { resolveHost } from './resolve-host.ts'

/**
 * Returns the host that a request is for: the one with that id or name, otherwise `local`,
 * otherwise the only one in the caller's scope.
 *
 * @throws 400 for `all`, if several hosts have the name, or if no host is named and the scope has
 *   several
 * @throws 403 if the host is outside the caller's scope, or the scope is empty
 * @throws 404 if the host does not exist
 */
export async function targetHost(
  named: string | undefined,
  caller: Pick<Caller, 'scopeTags'>,
  { hosts }: Needs<'hosts'>,
): Promise<Host> {
  if (named === undefined) return getHost(await impliedHost(caller, { hosts }), { hosts })
  if (named === 'all') throw invalid('host: `all` is allowed only for lists; name one host')
  const host = (await hosts.find(named)) ?? resolveHost(named, await hosts.list())
  if (!host) throw noSuchHost(named)
  return host
}

/** Returns the Engine of the host, and the host's ID and name for the response. */
export async function targetEngine(
  named: string | undefined,
  caller: Caller,
  ports: Needs<'hosts' | 'engines'>,
): Promise<{ engine: Engine; hostFields: HostFields }> {
  const { id, name } = await targetHost(named, caller, ports)
  return { engine: await ports.engines.on(id), hostFields: { host_id: id, host_name: name } }
}

/**
 * Returns the host with this ID.
 *
 * @throws 404 if the host does not exist
 */
export async function getHost(id: string, { hosts }: Needs<'hosts'>): Promise<Stored<Host>> {
  const host = await hosts.find(id)
  if (!host) throw noSuchHost(id)
  return host
}

/** 404: no host has that id. */
export const noSuchHost = (id: string) => notFound(`host ${id}: there is no such host`)

async function impliedHost(
  caller: Pick<Caller, 'scopeTags'>,
  { hosts }: Needs<'hosts'>,
): Promise<string> {
  if (caller.scopeTags.length === 0) return 'local'
  const [first, ...rest] = await hosts.list()
  if (first && (rest.length === 0 || [first, ...rest].some((host) => host.id === 'local'))) {
    return rest.length === 0 ? first.id : 'local'
  }
  if (!first) throw forbidden('no host is in your scope')
  throw invalid('host: is required, because your scope has several hosts')
}
