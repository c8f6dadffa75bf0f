import type { JudgePorts } from '../acts-as/judge-later-work.ts'
import type { RestorePorts } from '../backups/restore/restore-work.ts'
import type { BackupPorts } from '../backups/runs/start-backup.ts'
import type { DeployPorts } from '../deploy/request.ts'
import type { Needs } from '../ports/ports.ts'
import type { ObservePorts } from '../states/observe-host.ts'
import type { UpdatePorts } from '../updates/list-updates.ts'

/** The ports that taking newer images needs. */
export type ApplyPorts = DeployPorts &
  UpdatePorts &
  BackupPorts &
  RestorePorts &
  JudgePorts &
  ObservePorts &
  Needs<'reminders' | 'retentionStates'>
