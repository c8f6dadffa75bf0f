import type { Client } from '../api/client.ts'
import type { ServiceStatus } from '../api/types.ts'
import { CliFailure } from '../failure.ts'
import type { Io } from '../io.ts'
import { painter } from '../output/paint.ts'
import { statusStyle } from '../output/status-style.ts'
import { type Column, tableLines } from '../output/table.ts'

const columns: readonly Column<ServiceStatus>[] = [
  { head: 'SERVICE', text: (one) => one.service },
  { head: 'NAME', text: (one) => one.name },
  { head: 'STATE', text: (one) => one.service_state, style: statusStyle },
  { head: 'HEALTH', text: (one) => one.health, style: statusStyle, fold: 1 },
  { head: 'LINKS', text: (one) => one.links.join(' '), fold: 2 },
]

/** Shows the containers of a stack and its links on the terminal, if the service says them. */
export async function showResult(service: Client, name: string, io: Io): Promise<void> {
  const { stderr, env } = io
  const rows = await statusOf(service, name)
  if (rows.length === 0) return
  const lines = tableLines(rows, columns, painter(stderr, env), stderr.columns ?? 80)
  stderr.write(`\n${lines.map((line) => `${line}\n`).join('')}\n`)
}

/** Returns no rows if the status cannot be read: the work itself is done. */
async function statusOf(service: Client, name: string): Promise<readonly ServiceStatus[]> {
  try {
    return (await service.get('/stacks/{name}/status', { path: { name }, timeout: 5000 })).value
  } catch (error) {
    if (error instanceof CliFailure) return []
    throw error
  }
}
