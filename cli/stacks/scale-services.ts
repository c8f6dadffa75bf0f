import type { Client } from '../api/client.ts'
import type { Call } from '../command.ts'
import { wrongUsage } from '../failure.ts'
import { showDeployment, withoutWaiting } from '../follow/deploy.ts'

/** A service and the number of containers that it gets. */
export interface Scale {
  service: string
  replicas: number
}

const replicasMax = 1000

/** Reads `<service>=<number>`. Throws wrong usage for anything else. */
export function scaleOf(text: string): Scale {
  const [, service, number] = /^(.+)=(\d{1,4})$/.exec(text) ?? []
  const replicas = Number(number)
  if (service !== undefined && replicas <= replicasMax) return { service, replicas }
  const form = `<service>=<number>, such as web=3, with at most ${replicasMax}`
  throw wrongUsage(`${JSON.stringify(text)}: must be ${form}`)
}

/**
 * Scales services of a stack, one after the other, and shows each as it happens. Throws a
 * `CliFailure` at the first one that does not succeed.
 */
export async function scaleServices(
  name: string,
  scales: readonly Scale[],
  { client, print, io }: { client: Client } & Pick<Call, 'print' | 'io'>,
): Promise<void> {
  for (const { service, replicas } of scales) {
    const options = { path: { name, service }, body: { replicas }, ...withoutWaiting }
    const started = await client.post('/stacks/{name}/services/{service}/scale', options)
    await showDeployment(started, { client, print, io })
  }
}
