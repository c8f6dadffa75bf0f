import { type Call, command } from '../../command.ts'
import { path } from '../../http.ts'
import type { Printer } from '../../print.ts'
import type { Deployment } from '../../records.ts'
import { checkPlace } from '../../stack-place.ts'
import { statusStyle } from '../../status-style.ts'
import { duration, moment } from '../../units.ts'

const args = '<name> [id]'

export default command({
  args,
  details: '\nLists deployments, newest first. Given an id, shows that deployment and its steps.',
  run: deployments,
})

async function deployments({ args: { name, id }, flags, client, print }: Call<typeof args>) {
  const service = await client()
  await checkPlace(service, name, flags.host)
  if (id !== undefined) {
    const reply = await service.get<Deployment>(path`/stacks/${name}/deployments/${id}`)
    print.reply(reply, (deployment) => showOne(deployment, print))
    return
  }
  const reply = await service.get<Deployment[]>(path`/stacks/${name}/deployments`)
  print.reply(reply, (found) =>
    print.table(found, [
      { head: 'ID', text: (one) => one.id },
      { head: 'KIND', text: (one) => one.kind },
      { head: 'STATUS', text: (one) => one.status, style: statusStyle },
      { head: 'ENVIRONMENT', text: (one) => one.environment },
      { head: 'REVISION', text: (one) => one.revision },
      { head: 'STARTED', text: (one) => moment(one.started_at) },
      { head: 'TOOK', text: tookOf },
      { head: 'BY', text: (one) => one.by },
    ]),
  )
}

function showOne(one: Deployment, print: Printer): void {
  print.facts({
    id: one.id,
    kind: one.kind,
    host: one.host,
    status: one.status,
    error: one.error ?? undefined,
    environment: one.environment,
    revision: one.revision,
    started: moment(one.started_at),
    took: tookOf(one),
    by: one.by,
  })
  print.line('')
  print.table(one.steps, [
    { head: 'STEP', text: (step) => step.status, style: statusStyle },
    { head: 'ACTION', text: (step) => step.action },
    { head: 'KIND', text: (step) => step.kind },
    { head: 'NAME', text: (step) => step.name },
    { head: 'TOOK', text: (step) => (step.ms === null ? undefined : duration(step.ms)) },
    { head: 'REASON', text: (step) => step.reason },
  ])
}

function tookOf({ started_at, finished_at }: Deployment): string | undefined {
  return finished_at ? duration(Date.parse(finished_at) - Date.parse(started_at)) : undefined
}
