import { serviceOrder } from '../../../functions/compose/plan/order.ts'
import { callRoute, hasRoute } from './call-route.ts'
import {
  failedWith,
  type Output,
  outputOfDeployment,
  outputOfResponse,
  silent,
  together,
} from './output.ts'
import type { OurStack } from './stack.ts'
import { statusOf } from './status.ts'
import type { ComposeWords } from './words.ts'

/** Calls an endpoint of a service that answers with a deployment. */
export async function serviceVerb(
  stack: OurStack,
  verb: string,
  service: string,
  body?: object,
): Promise<Output> {
  const key = `POST /stacks/{name}/services/{service}/${verb}`
  if (!hasRoute(key)) return failedWith(`the service has no ${verb}`)
  return outputOfDeployment(await callRoute(stack, key, { path: { service }, body }))
}

/** Returns a verb for services in the order of their dependencies; `stop` reverses it. */
export const verbOf =
  (verb: 'start' | 'stop' | 'pause' | 'unpause') =>
  async (stack: OurStack, { names }: Pick<ComposeWords, 'names'>): Promise<Output> => {
    const ordered = await servicesOf(stack, names)
    const outputs: Output[] = []
    for (const service of verb === 'stop' ? ordered.toReversed() : ordered) {
      outputs.push(await serviceVerb(stack, verb, service))
    }
    return together(outputs)
  }

/** Returns the named services, or all that have containers, each after its dependencies. */
async function servicesOf(stack: OurStack, names: readonly string[]): Promise<string[]> {
  const rows = await statusOf(stack)
  const existing = rows.flatMap((row) => (row.container_id ? [row.service] : []))
  const wanted = new Set(names.length > 0 ? names : existing)
  const known = serviceOrder(stack.project().services).filter((one) => wanted.has(one))
  return [...known, ...[...wanted].filter((one) => !known.includes(one))]
}

export async function restart(stack: OurStack, { names }: ComposeWords): Promise<Output> {
  const body = names.length > 0 ? { services: names } : {}
  return outputOfResponse(await callRoute(stack, 'POST /stacks/{name}/restart', { body }))
}

export async function scale(stack: OurStack, { names }: ComposeWords): Promise<Output> {
  const outputs: Output[] = []
  for (const [service, replicas] of replicasIn(names)) {
    outputs.push(await serviceVerb(stack, 'scale', service, { replicas }))
  }
  return together(outputs)
}

/** Returns the services and numbers in `web=2` words. */
export const replicasIn = (words: readonly string[]): [string, number][] =>
  words.flatMap((word): [string, number][] => {
    const [, service, count] = /^([\w.-]+)=(\d+)$/.exec(word) ?? []
    return service === undefined ? [] : [[service, Number(count)]]
  })

/** Removes containers by scaling their services to 0, which the next deploy takes back. */
export async function rm(stack: OurStack, { names }: ComposeWords): Promise<Output> {
  const outputs: Output[] = []
  for (const service of (await servicesOf(stack, names)).toReversed()) {
    outputs.push(await serviceVerb(stack, 'scale', service, { replicas: 0 }))
  }
  return together(outputs)
}

/** Removes the stack's containers and networks, or the containers of the named services. */
export async function down(stack: OurStack, words: ComposeWords): Promise<Output> {
  if (words.names.length > 0) return rm(stack, words)
  const rows = await statusOf(stack)
  if (rows.every((row) => row.container_id === null)) return silent
  return outputOfDeployment(await callRoute(stack, 'POST /stacks/{name}/down', { body: {} }))
}
