import { ownEntry } from '../../compose/lookup.ts'
import type { Reach } from '../../compose/project.ts'
import type { EarlierFiles } from '../deploy/earlier-files.ts'
import type { Stored } from '../ports/collection.ts'
import type { StackRecord } from '../records/stack.ts'
import { type LoadedFiles, type LoadPorts, loadFiles } from '../stacks/load-project.ts'
import { noService } from '../stacks/no-service.ts'

/**
 * Loads a project that has the service, with a profile of the service if it needs one.
 *
 * @throws 404 if there is no such service, and what `loadFiles` throws
 */
export async function loadService(
  stack: Stored<StackRecord>,
  service: string,
  { files, environment, reach }: EarlierFiles & { reach: Reach },
  ports: LoadPorts,
): Promise<LoadedFiles> {
  const listsPrivileged = files.savedBy !== undefined
  const reading = { environment, reach, listsPrivileged }
  const loaded = await loadFiles(stack, files, reading, ports)
  const { services, disabled_services: disabled } = loaded.project
  if (Object.hasOwn(services, service)) return loaded
  if (!Object.hasOwn(disabled, service)) {
    throw noService(stack.id, service, [...Object.keys(services), ...Object.keys(disabled)])
  }
  const [profile = '*'] = ownEntry(disabled, service)?.profiles ?? []
  return loadFiles(stack, files, { ...reading, profiles: [profile] }, ports)
}
