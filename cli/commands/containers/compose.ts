import { writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { Client } from '../../api/client.ts'
import type { ComposeOfContainers } from '../../api/types.ts'
import { type Call, command } from '../../command.ts'
import { failed, hasCode, wrongUsage } from '../../failure.ts'
import { clean, cleanLines } from '../../output/text.ts'
import { hostFor, oneHost } from '../../resolve/host.ts'
import { itemsOf } from '../../resolve/host-list.ts'

const ownFlags = {
  '--all-without-project': 'Take all containers that run and belong to no project',
  '-o, --to <file>': 'Write it into this file, and secrets into .env beside it',
} as const

export default command({
  args: '[...containers]',
  flags: ownFlags,
  details: `
Writes containers, given by id or name, as one compose file: what was chosen when they were created, without what their
images and the Engine give. Each becomes a service of its name, and keeps its networks and volumes, which exist. Nothing
is changed. What the file cannot say is listed on standard error.

Values of variables that look like secrets go to .env, which is only written with --to. A .env that is there is never
replaced. Values need the permission containers:secrets.`,
  examples: [
    'cli containers compose web db -o compose.yaml',
    'cli containers compose --all-without-project --host nas > compose.yaml',
  ],
  fields: { names: '[...containers]' },
  run: writeCompose,
})

type ComposeCall = Call<'[...containers]', typeof ownFlags>

async function writeCompose({ args, flags, client, print, io }: ComposeCall) {
  const named = oneHost(flags.host)
  const hasNames = args.containers.length > 0
  if (flags.allWithoutProject === hasNames) {
    throw wrongUsage('name containers, or give --all-without-project')
  }
  const service = await client()
  const host = await hostFor(service, named)
  const names = flags.allWithoutProject ? await withoutProject(service, host) : args.containers
  const reply = await service.post('/containers/compose', { query: { host }, body: { names } })
  const { value } = reply
  if (flags.to !== undefined) {
    await writeFiles(value, { file: flags.to, cwd: io.cwd })
    print.line(`written to ${clean(flags.to)}`)
  } else {
    print.reply(reply, ({ compose }) => {
      // The text is escaped for a terminal, but written unchanged to a file or pipe.
      io.stdout.write(io.stdout.isTTY ? cleanLines(compose) : compose)
    })
  }
  for (const line of notesOf(value, flags.to)) print.note(clean(line))
}

/** Returns the ids of the containers that run and belong to no project. */
async function withoutProject(service: Client, host: string | undefined): Promise<string[]> {
  const list = itemsOf((await service.get('/containers', { query: { host } })).value)
  const found = list.filter(({ stack, owner }) => stack === null && owner === 'foreign')
  if (found.length === 0) throw failed('every container that runs belongs to a project')
  return found.map(({ id }) => id)
}

async function writeFiles(
  { compose, env }: ComposeOfContainers,
  { file, cwd }: { file: string; cwd: string },
): Promise<void> {
  const path = resolve(cwd, file)
  // It comes first: without its variables, the compose file would run something else.
  if (env !== null) await write(join(dirname(path), '.env'), env, 'wx')
  await write(path, compose, 'w')
}

async function write(path: string, text: string, flag: 'w' | 'wx'): Promise<void> {
  await writeFile(path, text, { mode: 0o600, flag }).catch((cause: Error) => {
    const why = hasCode(cause, 'EEXIST')
      ? 'it is there, and is not replaced: move it, or choose another directory'
      : cause.message
    throw failed(`cannot write ${clean(path)}: ${why}`, { cause })
  })
}

function notesOf({ env, warnings }: ComposeOfContainers, file: string | undefined): string[] {
  if (env === null || file !== undefined) return warnings
  return [...warnings, 'the file needs variables of a .env: give --to to write both']
}
