import { act } from '../../data/act.ts'
import { type Deployment, untilSuccess } from '../../data/stack-operations.ts'
import { go } from '../../frame/address.ts'
import { t } from '../../text/text.ts'
import { durationText } from './duration-text.ts'
import { changesOf, countChanges } from './plan-changes.ts'

/**
 * Shows a started deployment on the page of its stack, and notifies a reader who left that page
 * when it ends.
 */
export function followDeploy(started: Deployment): void {
  const { stack, id, kind } = started
  const isBack = kind === 'rollback'
  const page = `/stacks/${encodeURIComponent(stack)}`
  const isShown = () => location.pathname === page
  const end = act(untilEndedElsewhere, {
    ended: (done) => {
      if (!done || isShown()) return undefined
      const line = (isBack ? t.stack.rolledBack : t.stack.deployed)(stack, durationText(done))
      return [line, ...countsOf(done)].join(' · ')
    },
    failed: isBack ? t.stack.notRolledBack(stack) : t.stack.notDeployed(stack),
  })
  async function untilEndedElsewhere(deployment: Deployment): Promise<Deployment | undefined> {
    try {
      return await untilSuccess(deployment)
    } catch (error) {
      if (isShown()) return undefined
      throw error
    }
  }
  void end.run(started)
  // Back leads to what was there before the plan: that is done.
  const isReplaced = [page, `${page}/deploy`].includes(location.pathname)
  go(`${page}?deployment=${id}`, isReplaced)
}

/** Returns the counts of a deployment's container changes: "2 recreated". */
export function countsOf({ steps }: Pick<Deployment, 'steps'>): string[] {
  const containers = changesOf(steps).filter((change) => change.kind === 'container')
  return countChanges(containers).map(([change, count]) => t.stack.counted[change](count))
}
