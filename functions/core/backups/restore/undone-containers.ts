import type { Engine } from '../../ports/engine.ts'
import type { BackupRun, StoppedContainer } from '../../records/backup-run.ts'

/**
 * Returns stopped containers without those of an update that a restore takes back: with its newer
 * images, they would change the restored data again.
 */
export async function withoutUndone(
  stopped: readonly StoppedContainer[],
  { undoes }: Pick<BackupRun, 'undoes'>,
  engine: Engine,
): Promise<StoppedContainer[]> {
  if (!undoes || stopped.length === 0) return [...stopped]
  const { stack, services } = undoes
  const all = await engine.containers({ all: true })
  const undone = all.filter((one) => one.stack === stack && services.includes(one.service ?? ''))
  const ids = new Set(undone.map(({ id }) => id))
  return stopped.filter(({ id }) => !ids.has(id))
}
