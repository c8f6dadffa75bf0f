import type { Needs } from '../ports/ports.ts'
import { markHandled } from '../promises.ts'
import type { Deployment, StepReport } from '../records/deployment.ts'

/**
 * The time between two writes of a running deployment. A record with many steps costs more to
 * write. Milliseconds.
 */
const writeInterval = (steps: number) => Math.max(200, 3 * steps)

/**
 * Returns a recorder that writes the steps of a deployment while it runs, at a limited rate. The
 * next write makes up for one that fails. The caller writes the final record.
 */
export function recordProgress(
  deployment: Deployment,
  { deployments, clock, log }: Needs<'deployments' | 'clock' | 'log'>,
) {
  let steps = deployment.steps
  const stopped = new AbortController()
  let writing: Promise<void> | undefined
  let changed = false

  const write = async () => {
    while (changed && !stopped.signal.aborted) {
      await clock.sleep(writeInterval(steps.length), stopped.signal)
      if (stopped.signal.aborted) return
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
      writing ??= markHandled(
        write().finally(() => {
          writing = undefined
        }),
      )
    },
    async stop() {
      stopped.abort()
      await writing
    },
  }
}
