import type { ContainerProcess } from '../../../functions/core/records/container.ts'
import { shownContainer } from '../inspect/container.ts'
import { checkedId } from '../names/ids.ts'
import { processList } from '../responses/response-shapes.ts'
import type { EngineClient } from '../transport/client.ts'

/** More processes of one container are left out. */
const processesMax = 1_000
/** Characters of a command line to keep. The rest is cut off. */
const commandMax = 4_096

/**
 * Returns the processes of a container, as `ps` on the host shows them; none if it does not run.
 *
 * @throws 404 if there is no such container
 */
export async function containerProcesses(
  client: EngineClient,
  id: string,
): Promise<ContainerProcess[]> {
  const { Id, State } = await shownContainer(client, id)
  if (!State.Running || State.Restarting) return []
  const path = `/containers/${checkedId('container', Id)}/top`
  try {
    const list = await client.json<ProcessList>({ method: 'GET', path, shape: processList })
    return processesIn(list)
  } catch (error) {
    // The Engine reports an error if the container has ended since.
    const now = await shownContainer(client, Id)
    if (!now.State.Running || now.State.Restarting) return []
    throw error
  }
}

/** The output of `ps`: titles of columns, and a row for each process. */
export interface ProcessList {
  Titles: string[]
  Processes: string[][] | null
}

/**
 * Returns the processes in the output of `ps`. The columns depend on the `ps` of the host: only
 * PID and the command are everywhere.
 */
export function processesIn({ Titles, Processes }: ProcessList): ContainerProcess[] {
  const at = (...names: string[]) => Titles.findIndex((title) => names.includes(title))
  const columns = {
    pid: at('PID'),
    parent: at('PPID'),
    user: at('UID', 'USER'),
    started: at('STIME', 'START'),
    time: at('TIME'),
    command: at('CMD', 'COMMAND'),
  }
  const rows = (Processes ?? []).filter((row) => numberIn(row[columns.pid]) !== null)
  return rows.slice(0, processesMax).map((row) => ({
    pid: numberIn(row[columns.pid]) ?? 0,
    parentPid: numberIn(row[columns.parent]),
    user: row[columns.user] ?? null,
    started: row[columns.started] ?? null,
    cpuTime: row[columns.time] ?? null,
    command: (row[columns.command] ?? '').slice(0, commandMax),
  }))
}

const numberIn = (text: string | undefined) => (/^\d{1,10}$/.test(text ?? '') ? Number(text) : null)
