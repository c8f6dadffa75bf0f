import type { DeployPorts } from '../deploy/request.ts'
import type { Needs } from '../ports/ports.ts'
import type { ChangePorts } from '../stacks/change-files.ts'
import type { SourceLookPorts } from './look-at-source.ts'

/** The ports that following sources needs. */
export type SyncPorts = ChangePorts & DeployPorts & SourceLookPorts & Needs<'sourceKeys'>
