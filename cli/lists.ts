import type { Call } from './command.ts'
import type { Column } from './print.ts'
import type { FanOut } from './records.ts'
import { clean } from './text.ts'

/**
 * Prints a list of one host, or of every host with `--host all`. The latter adds the host's name,
 * and names unreachable hosts on standard error.
 */
export async function showList<Row extends { host_name: string }>(
  call: Pick<Call, 'flags' | 'client' | 'print'>,
  path: string,
  columns: readonly Column<Row>[],
  query: Record<string, string | undefined> = {},
): Promise<void> {
  const { flags, client, print } = call
  const service = await client()
  const reply = await service.get<Row[] | FanOut<Row>>(path, {
    query: { host: flags.host, ...query },
  })
  const { value } = reply
  const away = 'unreachable_hosts' in value ? value.unreachable_hosts : []
  const host = { head: 'HOST', text: (row: Row) => row.host_name }
  print.reply(reply, () =>
    'items' in value ? print.table(value.items, [...columns, host]) : print.table(value, columns),
  )
  for (const { host_id, error } of away) print.note(`host ${clean(host_id)}: ${clean(error)}`)
}
