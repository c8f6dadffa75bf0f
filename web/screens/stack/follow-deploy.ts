import { act } from '../../data/act.ts'
import { type Deployment, untilSuccess } from '../../data/stack-operations.ts'
import { go } from '../../frame/address.ts'
import { t } from '../../text/text.ts'
import { durationText } from './duration-text.ts'
import { changesOf, countChanges } from './plan-changes.ts'

/** Opens the page of a started deployment, and notifies the reader on any page when it ends. */
export function followDeploy(started: Deployment): void {
  const { stack, id, kind } = started
  const isBack = kind === 'rollback'
  const end = act(untilSuccess, {
    ended: (done) => {
      const line = (isBack ? t.stack.rolledBack : t.stack.deployed)(stack, durationText(done))
      return [line, ...countsOf(done)].join(' · ')
    },
    failed: isBack ? t.stack.notRolledBack(stack) : t.stack.notDeployed(stack),
  })
  void end.run(started)
  go(`/stacks/${encodeURIComponent(stack)}/deployments/${id}`)
}

/** Returns the counts of a deployment's container changes: "2 recreated". */
export function countsOf({ steps }: Pick<Deployment, 'steps'>): string[] {
  const containers = changesOf(steps).filter((change) => change.kind === 'container')
  return countChanges(containers).map(([change, count]) => t.stack.counted[change](count))
}
