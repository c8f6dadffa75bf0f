import { type Call, command } from '../../command.ts'
import { wrongUsage } from '../../failure.ts'
import { readNamed } from '../../flags/named-file.ts'
import { importPlaced } from '../../import/import-placed.ts'
import { mapOf } from '../../import/map-flag.ts'
import { peerAddress } from '../../import/peer-http.ts'
import { readPortainer } from '../../import/portainer/answers.ts'
import { accountProposals } from '../../import/portainer/proposals.ts'
import { portainerStacks } from '../../import/portainer/stacks.ts'
import type { Io } from '../../io.ts'
import { openSecrets } from '../../prompt.ts'

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
  const call = { service, io, print, product: 'Portainer', given }
  const proposals = () => accountProposals(answers)
  await importPlaced(portainerStacks(answers), { ...call, proposals }, flags)
}

async function keyOf(file: string | undefined, io: Io): Promise<string> {
  const text =
    file === undefined
      ? await openSecrets(io).next('API key')
      : await readNamed(io, file, 'token file')
  const key = text.trim()
  if (/^[\x21-\x7e]+$/.test(key)) return key
  throw wrongUsage('the API key of Portainer must be one line without spaces')
}
