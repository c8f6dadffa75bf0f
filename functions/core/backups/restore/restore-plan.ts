import type { Project } from '../../../compose/project.ts'
import type { PlacedReference } from '../../../compose/references.ts'
import type { EngineBody } from '../../../compose/step.ts'
import type { Stored } from '../../ports/collection.ts'
import type { Account, Caller } from '../../records/account.ts'
import type { BackupObject, LeftOut } from '../../records/backup-manifest.ts'
import type { Deployment } from '../../records/deployment.ts'
import type { FilePlace } from '../../records/host-engine.ts'
import type { StackRecord } from '../../records/stack.ts'
import type { DeploymentUpdate } from '../../records/stack-update.ts'
import type { RestoredStack } from './read-saved.ts'

/** A request to restore a backup. */
export interface RestoreRequest {
  /** All stacks and volumes of the backup by default. */
  sources?: RestoreSource[]
  /** The host of the backup by default. */
  host?: string
  /** A different name for the stack, if only one is restored. */
  stackName?: string
  overwrite: boolean
  /** The update that is taken back. The stack gets the images that it had before. */
  undo?: RestoreUndo
}

/** An update that a restore takes back. */
export interface RestoreUndo {
  /** The services of the update. */
  services: string[]
  deploymentId: string
  /** Image as the files name it → the image that it was before. */
  retag: Record<string, string>
  update: DeploymentUpdate
  /** What the update deployed. Someone may have edited the files of the stack since. */
  deployed: Pick<Deployment, 'files' | 'environment' | 'profiles'>
}

/** The caller that restores a backup. */
export type Restorer = Pick<Caller, 'permissions' | 'scopeTags'> & {
  account: Pick<Account, 'id' | 'username'>
}

/** `services`: restore only the volumes of these services, not the stack. */
export type RestoreSource =
  | { kind: 'stack'; name: string; services?: string[] }
  | { kind: 'volume'; name: string }
  | { kind: 'system' }

/** An object of the backup and where it is restored to. */
export interface RestoreItem {
  object: BackupObject
  place: FilePlace
  /** Whether the place has content. It is replaced once all new data is on the host. */
  isOccupied: boolean
  /** Whether this is a volume that will belong to the restored stack. */
  isOwn: boolean
  /** The body of the request that creates the volume; null for a directory. */
  body: EngineBody | null
}

/** A stack that is restored as a whole. */
export interface StackToRestore extends RestoredStack {
  /** The stack's archive in the backup. */
  object: BackupObject
  name: string
  directory: string
  adopted: boolean
  project: Project
  /** The volumes and networks that the project uses. */
  references: readonly PlacedReference[]
  /** The paths that the compose files call secret. */
  secretFiles: string[]
  existing: Stored<StackRecord> | undefined
}

export interface RestorePlan {
  hostId: string
  items: RestoreItem[]
  stacks: StackToRestore[]
  /** What its stacks used that the backup does not contain, with their names after the restore. */
  leftOut: LeftOut[]
}
