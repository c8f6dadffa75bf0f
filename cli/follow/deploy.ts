import type { Client, Reply } from '../api/client.ts'
import type { Deployment } from '../api/types.ts'
import { ApiFailure, failed } from '../failure.ts'
import type { Io } from '../io.ts'
import { makeProgress } from '../output/deployment-progress.ts'
import { summaryOf, workOf } from '../output/deployment-words.ts'
import type { Printer } from '../output/print.ts'
import type { StepDetail } from '../output/step-lines.ts'
import { clean } from '../output/text.ts'
import { offerCancel } from './offer-cancel.ts'
import { type Operation, pollUntilDone } from './poll.ts'
import { showResult } from './show-result.ts'

/** Options of a request that starts a deployment: the response comes before it ends. */
export const withoutWaiting = { query: { wait: false }, timeout: 0 } as const

interface Following {
  client: Client
  print: Printer
  io: Io
  /** What a rollback goes back to, for its result. */
  where?: string
}

/**
 * Shows the steps of a deployment on standard error as they happen, prints its result and returns
 * it. Throws a `CliFailure` if it did not succeed.
 */
async function followDeployment(
  started: Reply<Deployment>,
  { client, print, io, where, ...detail }: Following & StepDetail,
): Promise<Deployment> {
  const { stack: name, id } = started.value
  const operation = {
    request: (options: { timeout: number; signal: AbortSignal }) =>
      client.get('/stacks/{name}/deployments/{id}', { path: { name, id }, ...options }),
    progress: makeProgress(io, print.progress, detail),
    stoppedMessage: `${workOf(started.value)} continues: cli stacks deployments watch ${name} ${id}`,
    onInterrupt: offerCancel(started.value, { client, print, io }),
  }
  const warned = new Set<string>()
  const warn = ({ warnings }: Deployment) => {
    for (const warning of warnings) {
      if (!warned.has(warning)) print.note(`warning: ${clean(warning)}`)
      warned.add(warning)
    }
  }
  warn(started.value)
  const ended = await untilDone(started, operation, io)
  if (!ended) {
    if (print.format === 'table') print.line(`${clean(name)} is deleted`)
    return started.value
  }
  warn(ended.value)
  print.reply(ended, (deployment) => {
    if (deployment.status === 'succeeded') print.line(summaryOf(deployment, where))
  })
  const { status, error, reason, kind } = ended.value
  const isShown = print.progress === 'tty' && print.format === 'table'
  if (isShown && status === 'succeeded' && startsServices(kind)) await showResult(client, name, io)
  if (status !== 'succeeded') {
    const work = workOf(ended.value)
    const words = status === 'failed' ? `${work} failed` : `${work} was ${status}`
    throw failed(error ? `${words}: ${error}` : words, { reason: reason ?? undefined })
  }
  return ended.value
}

/** Returns a deployment when it has ended, or undefined if it was deleted with its stack. */
async function untilDone(started: Reply<Deployment>, operation: Operation<Deployment>, io: Io) {
  try {
    return await pollUntilDone(started, operation, io)
  } catch (error) {
    const isGone = error instanceof ApiFailure && error.status === 404
    if (isGone && started.value.kind === 'remove') return undefined
    throw error
  }
}

/**
 * Shows a deployment until it has ended, or with `--detach` only says how to follow it. Returns it
 * as it was last read.
 */
export async function showDeployment(
  started: Reply<Deployment>,
  { detach = false, ...following }: Following & StepDetail & { detach?: boolean },
): Promise<Deployment> {
  if (!detach) return followDeployment(started, following)
  sayStarted(started, following.print)
  return started.value
}

/** Says how to follow the deployment that a request without waiting has started. */
const sayStarted = (started: Reply<Deployment>, print: Printer): void =>
  print.reply(started, ({ stack, id }) =>
    print.line(`started: cli stacks deployments watch ${clean(stack)} ${id}`),
  )

/**
 * Returns the response to a request without waiting, which is a deployment also where the one at
 * the end is something else.
 */
export const asDeployment = (started: Reply<unknown>) => started as Reply<Deployment>

const startsServices = (kind: Deployment['kind']) =>
  /^(deploy|rollback|start|restart|scale|unpause)$/.test(kind)
