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
  const away = 'items' in value ? value.unreachable_hosts : []
  if (away.length === 0) return
  const nameOf = await hostNames(service, print)
  for (const { host_id, error } of away) {
    print.note(`host ${clean(nameOf(host_id))}: ${clean(error)}`)
  }
}

/** Returns the entries of a list of one host or of every host. */
export const itemsOf = <Item>(list: HostList<Item>): Item[] => ('items' in list ? list.items : list)
