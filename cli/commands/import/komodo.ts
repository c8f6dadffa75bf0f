import { type Call, command } from '../../command.ts'
import { wrongUsage } from '../../failure.ts'
import { readNamed } from '../../flags/named-file.ts'
import { importPlaced } from '../../import/import-placed.ts'
import { readKomodoFile } from '../../import/komodo/read-file.ts'
import { readKomodoServer } from '../../import/komodo/read-server.ts'
import type { KomodoResources } from '../../import/komodo/resources.ts'
import { komodoStacks } from '../../import/komodo/stacks.ts'
import { updateProposals } from '../../import/komodo/update-proposals.ts'
import { mapOf } from '../../import/map-flag.ts'
import { peerAddress } from '../../import/peer-http.ts'
import type { PeerStack } from '../../import/peer-stack.ts'
import type { Io } from '../../io.ts'
import type { Printer } from '../../output/print.ts'
import { clean } from '../../output/text.ts'
import { openSecrets } from '../../prompt.ts'

const ownFlags = {
  '--dry-run': 'Show what would happen with each stack; nothing is sent to this service',
  '--yes': 'Do not ask',
  '--token-file <path>':
    'A file with the API key and, in the next line, its secret; the client asks by default',
  '--map <...server=host>': 'The host that a server of Komodo is; repeatable',
  '--skip-tls-check': 'Accept any TLS certificate of Komodo',
} as const

export default command({
  args: '<source>',
  flags: ownFlags,
  explicitHost: true,
  progress: true,
  details: `
Makes stacks of the Compose stacks of Komodo, on the hosts where they are. The source is the address of Komodo, with an
API key of an administrator, or a file of resources in TOML. Stacks that run are adopted: no container is restarted. The
others are created and not deployed. A file has no files of stacks whose files are on the host or in git: they are left
out, with the way to adopt them. Settings of git and of updates are not imported; the report has commands for them.
Fields that no public page of Komodo explains are named and not imported. Stacks that exist already are left alone, so
you can run the same command again. Nothing is changed in Komodo.`,
  examples: [
    'cli import komodo https://komodo.example.org --dry-run',
    'cli import komodo resources.toml --map server-prod=nas',
  ],
  run: importKomodo,
})

type Flags = Call<'<source>', typeof ownFlags>['flags']

async function importKomodo({ args, flags, client, print, io }: Call<'<source>', typeof ownFlags>) {
  if (flags.host !== undefined)
    throw wrongUsage('--host: stacks are on several hosts; use --map <server>=<host>')
  const given = mapOf(flags.map ?? [], '<server>')
  const read = await readerOf(args.source, flags, { io, print })
  const service = await client()
  const resources = await read()
  const call = { service, io, print, product: 'Komodo', given }
  const proposals = (placed: readonly PeerStack[]) => [
    ...updateProposals(placed),
    ...notImported(resources),
  ]
  await importPlaced(komodoStacks(resources), { ...call, proposals }, flags)
}

const notImported = ({ others }: KomodoResources): string[] =>
  others.length === 0 ? [] : [`no stacks, and not imported: ${clean(others.join(', '))}`]

/** Returns how to read the source. Asks for the key first, and reads a file at once. */
async function readerOf(
  source: string,
  flags: Flags,
  { io, print }: { io: Io; print: Printer },
): Promise<() => Promise<KomodoResources>> {
  const { tokenFile, skipTlsCheck } = flags
  if (/^https?:/i.test(source)) {
    const url = peerAddress(source, print)
    const headers = await headersOf(tokenFile, io)
    return () => readKomodoServer({ url, headers, skipsTlsCheck: skipTlsCheck })
  }
  if (tokenFile !== undefined || skipTlsCheck)
    throw wrongUsage('--token-file and --skip-tls-check: only for the address of Komodo')
  const text = await readNamed(io, source, 'file of resources')
  const resources = await readKomodoFile(text, source)
  return async () => resources
}

async function headersOf(file: string | undefined, io: Io): Promise<Record<string, string>> {
  const secrets = openSecrets(io)
  const lines =
    file === undefined
      ? [await secrets.next('API key'), await secrets.next('API secret')]
      : (await readNamed(io, file, 'token file')).trim().split(/\r?\n/)
  const [key = '', secret = '', ...more] = lines.map((line) => line.trim())
  if (more.length === 0 && [key, secret].every((word) => /^[\x21-\x7e]+$/.test(word)))
    return { 'X-Api-Key': key, 'X-Api-Secret': secret }
  throw wrongUsage('the API key of Komodo and its secret must be one line each, without spaces')
}
