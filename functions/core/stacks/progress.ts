import type { Needs } from '../ports.ts'
import { started } from '../promises.ts'
import type { Deployment, StepReport } from './stack.ts'

/** Between two writes of a running deployment: one of many steps is dearer to write, and takes longer. Milliseconds. */
const pauseFor = (steps: number) => Math.max(200, 3 * steps)

/**
 * Writes a deployment's steps as they go, often enough for people and seldom enough for the store. A write that fails is
 * made good by the next: the last one, of the whole record, is the caller's.
 */
export function recordProgress(
  deployment: Deployment,
  { deployments, clock, log }: Needs<'deployments' | 'clock' | 'log'>,
) {
  let steps = deployment.steps
  const over = new AbortController()
  let writing: Promise<void> | undefined
  let changed = false

  const write = async () => {
    while (changed && !over.signal.aborted) {
      await clock.sleep(pauseFor(steps.length), over.signal)
      if (over.signal.aborted) return
      changed = false
      await deployments.save({ ...deployment, steps }).catch((error) => {
        log.warn('the progress of a deployment could not be written', { error })
      })
    }
  }
  return {
    changed(reports: StepReport[]) {
      steps = reports
      changed = true
      writing ??= started(
        write().finally(() => {
          writing = undefined
        }),
      )
    },
    async stop() {
      over.abort()
      await writing
    },
  }
}
