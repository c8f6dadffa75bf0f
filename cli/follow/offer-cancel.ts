import type { Client } from '../api/client.ts'
import type { Deployment } from '../api/types.ts'
import { ApiFailure } from '../failure.ts'
import type { Io } from '../io.ts'
import type { Printer } from '../output/print.ts'
import { clean } from '../output/text.ts'

/**
 * Returns the reaction to an interrupt while a deployment is followed. The first time it asks, on a
 * terminal, whether to cancel the deployment; elsewhere and after that it leaves.
 */
export function offerCancel(
  { stack: name, id, kind }: Pick<Deployment, 'stack' | 'id' | 'kind'>,
  { client, print, io }: { client: Client; print: Printer; io: Io },
): () => Promise<'leave' | 'stay'> {
  let isAsked = false
  return async () => {
    if (isAsked || !io.stdin.isTTY || !io.stderr.isTTY) return 'leave'
    isAsked = true
    const { isCancel, select } = await import('@clack/prompts')
    const answer = await select({
      message: `The ${kind} of ${clean(name)} is running. What now?`,
      options: [
        { value: 'leave', label: 'Continue in the background' },
        { value: 'cancel', label: 'Cancel it' },
        { value: 'stay', label: 'Keep watching' },
      ],
      input: io.stdin,
      output: io.stderr,
    })
    if (isCancel(answer) || answer === 'leave') return 'leave'
    if (answer === 'cancel' && (await cancel(client, name, id))) {
      print.note('cancelled: no further step starts')
    }
    return 'stay'
  }
}

/** Cancels a deployment. Returns false if it has ended in the meantime. */
async function cancel(client: Client, name: string, id: string): Promise<boolean> {
  try {
    await client.post('/stacks/{name}/deployments/{id}/cancel', { path: { name, id } })
    return true
  } catch (error) {
    if (!(error instanceof ApiFailure) || error.status !== 409) throw error
    return false
  }
}
