import { describe } from 'vitest'
import { backupTargetsContract } from '../contract/backup-targets.ts'
import { memoryBackupTargets } from './backup-blobs.ts'

describe('a target in memory', () => {
  backupTargetsContract(() => memoryBackupTargets().open({ kind: 'local', path: '' }))
})
