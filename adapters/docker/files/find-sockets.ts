import type { FilePlace, FoundSockets } from '../../../functions/core/records/host-engine.ts'
import { tarEntries } from '../../../functions/core/tar/entries.ts'
import type { HelperConfig } from '../helper-containers/helper-container.ts'
import { enginePlatform } from '../inspect/platform.ts'
import { socketsProgram } from '../programs/programs.ts'
import type { EngineClient } from '../transport/client.ts'
import { helperOf, mountPoint } from './place-archives.ts'
import { runProgram } from './run-program.ts'

/** Milliseconds that a program may look at all directories of a place. */
const lookDeadline = 600_000
const listPath = 'found'

/**
 * Returns the sockets of a place, or undefined on a host whose processor has no program for it. The
 * program runs in a helper container that can only read the place.
 */
export async function findSockets(
  client: EngineClient,
  place: FilePlace,
  owner: string,
  signal: AbortSignal,
): Promise<FoundSockets | undefined> {
  const { Arch } = await enginePlatform(client)
  const content = socketsProgram(Arch)
  if (!content) return undefined
  const program = {
    name: 'sockets',
    content,
    arguments: [mountPoint, `/${listPath}`],
    file: { path: listPath, content: new Uint8Array() },
    what: 'Looking for sockets',
  }
  const run = {
    create: (config: HelperConfig) => helperOf(client, place, owner, 'read', config),
    signal,
    deadline: lookDeadline,
  }
  const list = await runProgram(client, program, run, (id) => readList(client, id, signal))
  const paths = list.toString().split('\0').slice(0, -1)
  return { count: paths.length, paths: paths.filter(Boolean).sort() }
}

async function readList(client: EngineClient, id: string, signal: AbortSignal): Promise<Buffer> {
  const path = `/containers/${id}/archive`
  const query = { path: `/${listPath}` }
  const source = await client.stream({ method: 'GET', path, query, signal })
  const parts: Uint8Array[] = []
  for await (const { content } of tarEntries(source)) {
    for await (const part of content) parts.push(part)
  }
  return Buffer.concat(parts)
}
