import { type Call, command } from '../../command.ts'
import { wrongUsage } from '../../failure.ts'
import { readNamed } from '../../flags/named-file.ts'
import { importStacks } from '../../import/import-stacks.ts'
import { mapOf } from '../../import/map-flag.ts'
import { peerAddress } from '../../import/peer-http.ts'
import { placeStacks } from '../../import/place-stacks.ts'
import { readPortainer } from '../../import/portainer/answers.ts'
import { accountProposals } from '../../import/portainer/proposals.ts'
import { portainerStacks } from '../../import/portainer/stacks.ts'
import { sourceProposals } from '../../import/source-proposals.ts'
import { writeFolders } from '../../import/write-folders.ts'
import type { Io } from '../../io.ts'
import { openSecrets } from '../../prompt.ts'
import { awayIn, itemsOf, noteAway } from '../../resolve/host-list.ts'
import { temporaryDirectory } from '../../temporary-directory.ts'

const ownFlags = {
  '--dry-run': 'Show what would happen with each stack; nothing is sent to this service',
  '--yes': 'Do not ask',
  '--token-file <path>': 'A file with an API key of Portainer; the client asks for one by default',
  '--map <...environment=host>': 'The host that an environment of Portainer is; repeatable',
  '--skip-tls-check': 'Accept any TLS certificate of Portainer',
} as const

export default command({
  args: '<url>',
  flags: ownFlags,
  explicitHost: true,
  progress: true,
  details: `
Makes stacks of the Compose stacks of Portainer, on the hosts where they are. Needs an API key of an administrator, from
My account, Access tokens. Stacks that run are adopted: no container is restarted. The others are created and not
deployed. Portainer shows only one file of a stack: one that needs more files is left out, with the way to adopt it.
Accounts, teams and git settings are not imported; the report has commands for them. Stacks that exist already are left
alone, so you can run the same command again. Nothing is changed in Portainer.`,
  examples: [
    'cli import portainer https://portainer.example.org:9443 --dry-run',
    "cli import portainer https://portainer.example.org:9443 --token-file key.txt --map 'NAS (basement)=nas'",
  ],
  run: importPortainer,
})

async function importPortainer({ args, flags, client, print, io }: Call<'<url>', typeof ownFlags>) {
  if (flags.host !== undefined)
    throw wrongUsage('--host: stacks are on several hosts; use --map <environment>=<host>')
  const given = mapOf(flags.map ?? [], '<environment>')
  const url = peerAddress(args.url, print)
  const key = await keyOf(flags.tokenFile, io)
  const service = await client()
  const headers = { 'X-API-Key': key }
  const answers = await readPortainer({ url, headers, skipsTlsCheck: flags.skipTlsCheck })
  const hosts = (await service.get('/hosts')).value
  const running = (await service.get('/compose-projects', { query: { host: 'all' } })).value
  await noteAway(service, print, awayIn(running), 'its projects are not known: ')
  const projects = itemsOf(running)
  const places = { hosts, projects, given, product: 'Portainer' }
  const placed = placeStacks(portainerStacks(answers), places)
  const wayBack = [...sourceProposals(placed), ...accountProposals(answers), ...wayBackLines]
  const call = { service, io, print, projects, product: 'Portainer', wayBack }
  const parent = await temporaryDirectory('cli-import-', io)
  try {
    await importStacks(await writeFolders(placed, parent.path), call, flags)
  } finally {
    await parent.remove()
  }
}

const wayBackLines = [
  'Portainer still has its stacks: an import changes nothing there',
  '  the way back: cli stacks forget <name> removes a stack from this service alone, and all runs on',
  '  use one of the two for a stack: from now on, do not change imported stacks in Portainer',
]

async function keyOf(file: string | undefined, io: Io): Promise<string> {
  const text =
    file === undefined
      ? await openSecrets(io).next('API key')
      : await readNamed(io, file, 'token file')
  const key = text.trim()
  if (/^[\x21-\x7e]+$/.test(key)) return key
  throw wrongUsage('the API key of Portainer must be one line without spaces')
}
