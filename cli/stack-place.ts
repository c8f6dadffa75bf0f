import type { Client } from './client.ts'
import { failed, wrongUsage } from './failure.ts'
import { path } from './http.ts'
import type { StackDetails } from './records.ts'

/**
 * Checks that the stack is on the host given with `--host`, if any. Throws a `CliFailure` if it is
 * on another one.
 */
export async function checkPlace(client: Client, name: string, host: string | undefined) {
  if (host === undefined) return
  oneHost(host)
  const { value } = await client.get<StackDetails>(path`/stacks/${name}`)
  if (value.host !== host) throw failed(`stack ${name} is on host ${value.host}, not on ${host}`)
}

/**
 * Returns the host that `--host` names, if any. Throws a `CliFailure` for `all`, which is only for
 * lists.
 */
export function oneHost(host: string | undefined): string | undefined {
  if (host === 'all') throw wrongUsage('--host all: only lists accept all')
  return host
}
