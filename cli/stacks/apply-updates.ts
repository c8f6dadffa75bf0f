import { cutOffServices } from '../../functions/compose/cut-off-services.ts'
import type { Client } from '../api/client.ts'
import type { DeployBody, Update } from '../api/types.ts'
import { ApiFailure, failed } from '../failure.ts'
import { shortList } from '../folder/short-list.ts'
import { awaitRun } from '../follow/backup-run.ts'
import { showDeployment } from '../follow/deploy.ts'
import type { Io } from '../io.ts'
import { printPlan } from '../output/plan-table.ts'
import type { Printer } from '../output/print.ts'
import type { StepDetail } from '../output/step-lines.ts'
import { clean } from '../output/text.ts'
import { countsText } from '../output/update-words.ts'
import { itemsOf } from '../resolve/host-list.ts'
import { startDeploy } from './start-deploy.ts'

interface Applying extends StepDetail {
  client: Client
  print: Printer
  io: Io
  detach: boolean
  /** Runs the backup job of the policy first. */
  checkpoint: boolean
  /** Asks a question, and throws unless the answer is yes. */
  confirm(question: string): Promise<void>
}

/**
 * Deploys the services of a stack for which there is a newer image, or those of them that are
 * named: shows the plan, asks, and shows the deployment. A held-back image is deployed
 * only where its service is named. Deploys nothing if nothing is left.
 */
export async function applyUpdates(
  stack: string,
  services: readonly string[],
  { confirm, checkpoint, ...how }: Applying,
): Promise<void> {
  const { client, print } = how
  const found = await updatesOf(stack, services, client)
  const name = clean(stack)
  const job = checkpoint ? await checkpointOf(stack, client) : undefined
  const allNewer = found.filter(({ state }) => state === 'newer')
  const newer = await withoutBad(stack, allNewer, services, how)
  if (newer.length === 0 && allNewer.length > 0) {
    return print.data(null, () => print.line(`nothing else is newer for ${name}`))
  }
  if (newer.length === 0) {
    const counts = found.length === 0 ? 'it has no deployed services' : countsText(found)
    return print.data(null, () => print.line(`nothing is newer for ${name}: ${counts}`))
  }
  const body = await bodyFor(stack, newer, how)
  const path = { name: stack }
  const { value: steps, answer } = await client.post('/stacks/{name}/plan', { path, body })
  if (print.format === 'table') printPlan(steps, print, how)
  const backup = job === undefined ? '' : 'Back up, then '
  const verb = job === undefined ? 'Pull' : 'pull'
  await confirm(`${backup}${verb} and deploy ${shortList(body.services ?? [])} of ${name}?`)
  if (job !== undefined) await backUp(stack, job, how)
  const planned = Number(answer.headers['x-revision'])
  await showDeployment(await startDeploy(client, stack, body, planned), how)
}

/** Returns the ID of the backup job that the update policy of a stack names. */
async function checkpointOf(stack: string, client: Client): Promise<string> {
  const path = { name: stack }
  const { value: policy } = await client.get('/stacks/{name}/update-policy', { path })
  if (policy.checkpoint !== null) return policy.checkpoint
  throw failed(
    `--checkpoint: the update policy of ${clean(stack)} names no backup job: ` +
      `cli stacks update-policy ${clean(stack)} --checkpoint <job>`,
  )
}

/** Runs a backup job, and says how its data is restored. */
async function backUp(
  stack: string,
  id: string,
  how: Pick<Applying, 'client' | 'print' | 'io'>,
): Promise<void> {
  const started = await how.client.post('/backup-jobs/{id}/run', { path: { id } })
  await awaitRun(started, how)
  const restore = `cli backups restore ${started.value.id} --stack ${clean(stack)} --overwrite`
  how.print.note(`backed up; to go back with the data: ${restore}`)
}

/** Leaves out images that were bad in an update, and says so, unless their service is named. */
async function withoutBad(
  stack: string,
  newer: readonly Update[],
  named: readonly string[],
  { client, print }: Pick<Applying, 'client' | 'print'>,
): Promise<Update[]> {
  const path = { name: stack }
  const { value: held } = await client.get('/stacks/{name}/held-back-images', { path })
  return newer.filter((update) => {
    const bad = held.find(({ digest }) => digest === update.newer?.digest)
    if (!bad) return true
    const isNamed = named.includes(update.service)
    const service = clean(update.service)
    const what = `${service}: this image is held back after an update: ${clean(bad.reason)}`
    const wayOut = `left out; to deploy it: cli updates --apply ${clean(stack)} ${service}`
    print.note(isNamed ? `warning: ${what}` : `${what}; ${wayOut}`)
    return isNamed
  })
}

/** Returns what is known of the services of a stack, or of those that are named. */
async function updatesOf(
  stack: string,
  services: readonly string[],
  client: Client,
): Promise<Update[]> {
  const all = itemsOf((await client.get('/updates', { query: { stack } })).value)
  const known = all.map(({ service }) => service)
  for (const service of services) {
    if (known.includes(service)) continue
    const rest = known.length === 0 ? 'none' : shortList(known)
    throw failed(`stack ${clean(stack)} has no deployed service ${clean(service)}, it has ${rest}`)
  }
  return services.length === 0 ? all : all.filter(({ service }) => services.includes(service))
}

/**
 * Returns the body of the deploy. A deploy pulls the images of all services that it selects, so it
 * selects no others than it must. It applies the overlay of the last deploy.
 */
async function bodyFor(
  stack: string,
  newer: readonly Update[],
  { client, print }: Pick<Applying, 'client' | 'print'>,
): Promise<DeployBody> {
  const services = newer.map(({ service }) => service)
  const [{ value: details }, containers] = await Promise.all([
    client.get('/stacks/{name}', { path: { name: stack } }),
    containersOf(stack, newer[0]?.host_id, client),
  ])
  if (!containers) {
    print.note(
      'warning: services that share a network with these are not deployed with them: to find them needs containers:read',
    )
  }
  const others = cutOffServices(services, containers ?? [])
  if (others.length > 0) {
    print.note(`by the labels of their containers, these go along: ${shortList(others)}`)
  }
  return {
    services: [...services, ...others],
    dependencies: false,
    pull: 'always',
    environment: details.environment ?? undefined,
  }
}

/** Returns the containers of a stack, or undefined to those who may not see containers. */
async function containersOf(stack: string, host: string | undefined, client: Client) {
  try {
    const query = { stack, host, all: true }
    return itemsOf((await client.get('/containers', { query })).value)
  } catch (error) {
    if (error instanceof ApiFailure && error.status === 403) return undefined
    throw error
  }
}
