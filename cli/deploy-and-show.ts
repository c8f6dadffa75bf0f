import type { Client } from './client.ts'
import { failed } from './failure.ts'
import { followDeployment } from './follow.ts'
import type { Io } from './io.ts'
import type { Printer } from './print.ts'
import { makeProgress } from './progress.ts'
import type { Deployment } from './records.ts'
import { clean } from './text.ts'
import { duration } from './units.ts'

/**
 * Starts a deployment, shows its steps on standard error as they happen, and prints its result.
 * Throws a `CliFailure` if it did not succeed.
 */
export async function deployAndShow(
  where: string,
  body: object,
  { client, print, io }: { client: Client; print: Printer; io: Io },
): Promise<void> {
  const options = { query: { wait: 'false' }, body, patience: 0 }
  const started = await client.post<Deployment>(where, options)
  const progress = makeProgress(io, print.format)
  const ended = await followDeployment(client, started, io, progress)
  for (const warning of ended.value.warnings) print.note(`warning: ${clean(warning)}`)
  print.reply(ended, (deployment) => {
    if (deployment.status === 'succeeded') print.line(summaryOf(deployment))
  })
  const { status, error } = ended.value
  if (status !== 'succeeded') {
    const words = status === 'failed' ? 'the deployment failed' : `the deployment was ${status}`
    throw failed(error ? `${words}: ${error}` : words)
  }
}

function summaryOf({ stack, steps, started_at, finished_at }: Deployment): string {
  const done = steps.filter((step) => step.status === 'done').length
  if (done === 0) return `${clean(stack)} is up to date: nothing to do`
  const took = finished_at
    ? ` in ${duration(Date.parse(finished_at) - Date.parse(started_at))}`
    : ''
  return `${clean(stack)} is deployed: ${done} ${done === 1 ? 'step' : 'steps'}${took}`
}
