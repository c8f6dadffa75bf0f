import { conflict } from '../../errors.ts'
import type { RestoreWork } from './restore-work.ts'

/**
 * Checks that the update that a restore takes back is still to be taken back, by this run.
 *
 * @throws 409 if someone deployed or stopped the stack meanwhile, or another run takes it back
 */
export async function refuseEndedUndo({
  plan,
  recorder,
  undo,
  ports,
}: Pick<RestoreWork, 'plan' | 'recorder' | 'undo' | 'ports'>): Promise<void> {
  if (!undo) return
  for (const { name } of plan.stacks) {
    const openUpdate = (await ports.stacks.find(name))?.openUpdate
    const isSame = openUpdate?.deploymentId === undo.deploymentId
    if (isSame && openUpdate.restoreId === recorder.run.id) continue
    throw conflict(
      `stack ${name}: its update is no longer taken back, as it was deployed or stopped meanwhile`,
    )
  }
}
