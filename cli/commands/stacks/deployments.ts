import type { Client } from '../../api/client.ts'
import type { Deployment } from '../../api/types.ts'
import { type Call, command } from '../../command.ts'
import { olderThan, rangeFlags, rangeQuery } from '../../flags/range-flags.ts'
import type { Printer } from '../../output/print.ts'
import { statusStyle } from '../../output/status-style.ts'
import { duration, moment, shortId, tookOf } from '../../output/units.ts'
import { findDeployment } from '../../resolve/find-deployment.ts'
import { checkHost, hostOf } from '../../resolve/host.ts'

const args = '<name> [deployment]'

export default command({
  args,
  nameFromFolder: true,
  flags: rangeFlags,
  list: true,
  details: `
Lists deployments, newest first, with the commit of each that has the files of a source. Given an id, its beginning or
\`previous\`, shows that deployment and its steps.`,
  fields: { id: '[deployment]' },
  run: deployments,
})

async function deployments({
  args: { name, deployment },
  flags,
  client,
  print,
}: Call<typeof args, typeof rangeFlags>) {
  const query = rangeQuery(flags, Date.now())
  const service = await client()
  await checkHost(service, name, flags.host)
  if (deployment !== undefined) return printDeployment(service, { name, deployment }, print)
  const reply = await service.get('/stacks/{name}/deployments', { path: { name }, query })
  const shown = (found: Deployment[]) => {
    const hasCommits = found.some(({ source }) => source?.revision !== undefined)
    const commit = { head: 'COMMIT', text: ({ source }: Deployment) => shortId(source?.revision) }
    print.table(found, [
      { head: 'ID', text: (one) => one.id },
      { head: 'KIND', text: kindText },
      { head: 'STATUS', text: (one) => one.status, style: statusStyle },
      { head: 'ENVIRONMENT', text: (one) => one.environment },
      { head: 'REVISION', text: (one) => one.revision },
      ...(hasCommits ? [commit] : []),
      { head: 'STARTED', text: (one) => moment(one.started_at) },
      { head: 'TOOK', text: (one) => tookOf(one) },
      { head: 'BY', text: (one) => one.by },
    ])
  }
  const older = olderThan((one: Deployment) => one.started_at)
  print.reply(reply, shown, older)
}

/** Prints the deployment of a stack that a text names. */
export async function printDeployment(
  service: Client,
  { name, deployment }: { name: string; deployment: string },
  print: Printer,
): Promise<void> {
  const id = await findDeployment(service, name, deployment)
  const reply = await service.get('/stacks/{name}/deployments/{id}', { path: { name, id } })
  print.reply(reply, (found) => showOne(found, print))
}

/** Returns the kind of a deployment, and why the service began it by itself. */
const kindText = ({ kind, cause }: Deployment): string =>
  cause === null ? kind : `${kind} (${cause.replace('_', ' ')})`

type Step = Deployment['steps'][number]

function showOne(one: Deployment, print: Printer): void {
  print.facts({
    id: one.id,
    kind: kindText(one),
    host: hostOf(one),
    status: one.status,
    error: one.error ?? undefined,
    environment: one.environment,
    revision: one.revision,
    started: moment(one.started_at),
    took: tookOf(one),
    by: one.by,
  })
  print.line('')
  const errors = one.steps.some(({ error }) => error)
  print.table(one.steps, [
    { head: 'STEP', text: (step) => step.status, style: statusStyle },
    { head: 'ACTION', text: (step) => step.action },
    { head: 'KIND', text: (step) => step.kind },
    { head: 'NAME', text: (step) => step.name },
    { head: 'TOOK', text: (step) => (step.ms === null ? undefined : duration(step.ms)) },
    { head: 'REASON', text: (step) => step.reason },
    ...(errors ? [{ head: 'ERROR', text: (step: Step) => step.error }] : []),
  ])
}
