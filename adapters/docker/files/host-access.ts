import { posix } from 'node:path'
import type { Helper, Helpers } from '../helper-containers/helper.ts'
import type { EngineClient } from '../transport/client.ts'
import type { FileMemory } from './file-memory.ts'

/** Access to the files of a host through its Engine. */
export interface HostAccess {
  client: EngineClient
  helpers: Helpers
  memory: FileMemory
}

/** Returns the path on the host of a file in the helper's directory. */
export const hostPathOf = (helper: Helper, path: string) =>
  posix.join(helper.mounted, helper.inside, path)
