import type { Client } from '../api/client.ts'
import type { ServiceStatus } from '../api/types.ts'
import { failed } from '../failure.ts'
import { clean } from '../output/text.ts'
import { checkHost } from './host.ts'

interface ServiceContainer {
  stack: string
  service: string
  /** The number of the container; the first one that runs by default. */
  number: number | undefined
}

/**
 * Returns a running container of a service and its host. Without a number, a container of
 * `run` counts if no other runs. Throws a `CliFailure` if there is none.
 */
export async function findServiceContainer(
  client: Client,
  { stack, service, number }: ServiceContainer,
  host: string | undefined,
): Promise<{ id: string; host: string }> {
  await checkHost(client, stack, host)
  const path = { name: stack }
  const [{ value: rows }, { value: record }] = await Promise.all([
    client.get('/stacks/{name}/status', { path }),
    client.get('/stacks/{name}', { path }),
  ])
  const own = rows.filter((row) => row.service === service)
  const found = own.find(
    (row) => row.state === 'running' && (number === undefined || row.number === number),
  )
  if (found?.container_id) return { id: found.container_id, host: record.host }
  const extra = number === undefined && (await oneOffOf(client, stack, service, record.host))
  if (extra) return { id: extra, host: record.host }
  if (own.length === 0 && number === undefined) throw noContainer(stack, service, rows)
  throw notRunning(own, { stack, service, number })
}

/** The service may exist and be inactive: the status does not show such services. */
function noContainer(stack: string, service: string, rows: readonly ServiceStatus[]) {
  const names = [...new Set(rows.map((row) => row.service))]
  const known = names.length > 0 ? `; it has services ${clean(names.join(', '))}` : ''
  return failed(`stack ${clean(stack)} has no container of service ${clean(service)}${known}`)
}

function notRunning(own: readonly ServiceStatus[], { stack, service, number }: ServiceContainer) {
  const hint = `run: cli stacks status ${clean(stack)}`
  if (number === undefined) {
    const states = [...new Set(own.map(({ state }) => clean(state)))].join(', ')
    return failed(`service ${clean(service)} has no running container (${states})`, { hint })
  }
  const state = own.find((row) => row.number === number)?.state
  const how = state === undefined ? 'does not exist' : `is ${clean(state)}`
  return failed(`container ${number} of service ${clean(service)} ${how}`, { hint })
}

/** Returns a running container that `run` created for the service. */
async function oneOffOf(client: Client, stack: string, service: string, host: string) {
  const { value } = await client.get('/containers', { query: { host } })
  const all = Array.isArray(value) ? value : []
  return all.find(
    (one) =>
      one.stack === stack &&
      one.service === service &&
      one.labels['com.docker.compose.oneoff'] === 'True',
  )?.id
}
