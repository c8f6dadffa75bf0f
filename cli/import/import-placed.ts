import type { Client } from '../api/client.ts'
import type { Io } from '../io.ts'
import type { Printer } from '../output/print.ts'
import { awayIn, itemsOf, noteAway } from '../resolve/host-list.ts'
import { temporaryDirectory } from '../temporary-directory.ts'
import { importStacks, wayBackOf } from './import-stacks.ts'
import type { PeerStack } from './peer-stack.ts'
import { type PlacedImport, placeStacks } from './place-stacks.ts'
import { sourceProposals } from './source-proposals.ts'
import { writeFolders } from './write-folders.ts'

/** Where to import to, and what is known of the product. */
interface PlacedCall {
  service: Client
  io: Io
  print: Printer
  /** The name of the product. */
  product: string
  /** Name of a host in the product → id or name of the host that it is. */
  given: ReadonlyMap<string, string>
  /** Lines about what is not imported, after those about git. */
  proposals: (placed: readonly PeerStack[]) => readonly string[]
}

/**
 * Imports stacks of a product that manages several hosts and shows their files as texts. Throws a
 * `CliFailure` if one failed.
 */
export async function importPlaced(
  imports: readonly PlacedImport[],
  { service, io, print, product, given, proposals }: PlacedCall,
  flags: { dryRun: boolean; yes: boolean },
): Promise<void> {
  const hosts = (await service.get('/hosts')).value
  const running = (await service.get('/compose-projects', { query: { host: 'all' } })).value
  await noteAway(service, print, awayIn(running), 'its projects are not known: ')
  const projects = itemsOf(running)
  const placed = placeStacks(imports, { hosts, projects, given, product })
  const wayBack = [
    ...sourceProposals(placed),
    ...proposals(placed),
    ...wayBackOf(product, 'its stacks'),
  ]
  const call = { service, io, print, projects, product, wayBack }
  const parent = await temporaryDirectory('cli-import-', io)
  try {
    await importStacks(await writeFolders(placed, parent.path), call, flags)
  } finally {
    await parent.remove()
  }
}
