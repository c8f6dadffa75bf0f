import type { Client } from '../api/client.ts'
import type { Host } from '../api/types.ts'
import { ApiFailure, failed, wrongUsage } from '../failure.ts'
import type { Printer } from '../output/print.ts'
import { isIdPrefix, resolve } from './resolve.ts'

/**
 * Returns the host that `--host` names, if any. Throws a `CliFailure` for `all`, which is only for
 * lists.
 */
export function oneHost(host: string | undefined): string | undefined {
  if (host === 'all') throw wrongUsage('--host all: only lists accept all')
  return host
}

/**
 * Returns `--host` for a request. The service finds a host by id or name; the client only completes
 * the beginning of an id. Throws a `CliFailure` if that is ambiguous.
 */
export async function hostFor<Text extends string | undefined>(
  service: Client,
  named: Text,
): Promise<Text | string> {
  if (named === undefined || !isIdPrefix(named)) return named
  return resolve('host', named, await hostsOf(service))?.id ?? named
}

/**
 * Checks that the stack is on the host given with `--host`, if any. Throws a `CliFailure` if it is
 * on another one.
 */
export async function checkHost(service: Client, name: string, named: string | undefined) {
  if (oneHost(named) === undefined) return
  const { value } = await service.get('/stacks/{name}', { path: { name } })
  if (value.host === named) return
  const hosts = await hostsOf(service)
  if (resolve('host', named ?? '', hosts)?.id === value.host) return
  const place = hosts.find(({ id }) => id === value.host)?.name ?? value.host
  throw failed(`stack ${name} is on host ${place}, not on ${named}`)
}

/** Returns the name of the host of a record, or its id if the host was deleted. */
export const hostOf = (record: { host: string; host_name: string | null }): string =>
  record.host_name ?? record.host

/**
 * Returns a function that gives the name of a host for its id. The id stands for the name if the
 * service does not list the hosts, and with `--output json`, which needs no names.
 */
export async function hostNames(service: Client, { format }: Pick<Printer, 'format'>) {
  const hosts = format === 'json' ? [] : await hostsOf(service, () => true)
  const names = new Map(hosts.map(({ id, name }) => [id, name]))
  return (id: string) => names.get(id) ?? id
}

/** Returns the hosts, or none if listing them fails in an expected way. */
async function hostsOf(service: Client, isExpected = isForbidden): Promise<Host[]> {
  try {
    return (await service.get('/hosts')).value
  } catch (error) {
    if (error instanceof ApiFailure && isExpected(error)) return []
    throw error
  }
}

const isForbidden = ({ status }: ApiFailure) => status === 403
