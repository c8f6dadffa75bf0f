import type { Client, Reply } from '../api/client.ts'
import type { HostList } from '../api/types.ts'
import type { Printer } from '../output/print.ts'
import type { Column } from '../output/table.ts'
import { clean } from '../output/text.ts'
import { hostNames } from './host.ts'

/**
 * Prints a list of one host, or of every host with `--host all`. The latter adds the host's name,
 * and names unreachable hosts on standard error.
 */
export async function showHostList<Row extends { host_name: string }>(
  service: Client,
  print: Printer,
  reply: Reply<HostList<Row>>,
  columns: readonly Column<Row>[],
): Promise<void> {
  const { value } = reply
  const host = { head: 'HOST', text: (row: Row) => row.host_name }
  print.reply(reply, (shown) =>
    print.table(itemsOf(shown), 'items' in shown ? [...columns, host] : columns),
  )
  await noteAway(service, print, awayIn(value))
}

type Away = { host_id: string; error: string }

/** Returns the hosts that are missing from a list. */
export const awayIn = (list: HostList<unknown>): Away[] =>
  'items' in list ? list.unreachable_hosts : []

/** Names hosts on standard error, each with the reason, and before it `what` is missing. */
export async function noteAway(service: Client, print: Printer, away: readonly Away[], what = '') {
  if (away.length === 0) return
  const nameOf = await hostNames(service, print)
  for (const { host_id, error } of away) {
    print.note(`host ${clean(nameOf(host_id))}: ${what}${clean(error)}`)
  }
}

/** Returns the entries of a list of one host or of every host. */
export const itemsOf = <Item>(list: HostList<Item>): Item[] => ('items' in list ? list.items : list)
