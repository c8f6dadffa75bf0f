import type { Reach } from '../../../compose/project.ts'
import type { DeployPorts } from '../../deploy/request.ts'
import { logFailure } from '../../log-failure.ts'
import type { Needs } from '../../ports/ports.ts'
import type { Account } from '../../records/account.ts'
import type { RetryOptions } from '../../time/retry-transient.ts'
import type { OpenBackup, OpenPorts } from '../contents/open-backup.ts'
import type { RunRecorder } from '../runs/recorder.ts'
import type { RestorePlan, RestoreUndo } from './restore-plan.ts'

export type RestorePorts = DeployPorts & OpenPorts & Needs<'backupRuns' | 'hosts'>

/** A restore in progress. */
export interface RestoreWork {
  plan: RestorePlan
  backup: OpenBackup
  recorder: RunRecorder
  /** Aborted when a lease is lost or the service shuts down. */
  signal: AbortSignal
  /** The reach of the stacks: as far as the user who started the restore may let them reach. */
  reach: Reach
  /** Returns whether that user may read and deploy a stack. */
  mayDeploy(stack: string): Promise<boolean>
  by: Pick<Account, 'id' | 'username'>
  /** The update that is taken back, if one is. */
  undo: RestoreUndo | undefined
  ports: RestorePorts
}

/** Returns how a restore repeats what is refused for now: until it may not continue. */
export const retryOptions = ({ signal, recorder, ports }: RestoreWork): RetryOptions => ({
  signal,
  onRefusal: (error) => logFailure(ports.log, 'a restore waits', { run: recorder.run.id, error }),
})
