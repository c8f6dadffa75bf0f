import type { Client } from '../../api/client.ts'
import type { Feed } from '../../api/feed.ts'
import type { RunBody } from '../../api/types.ts'
import { type Call, command } from '../../command.ts'
import { ApiFailure, interrupted, wrongUsage } from '../../failure.ts'
import { attachTo } from '../../follow/exec.ts'
import type { Io } from '../../io.ts'
import { clean } from '../../output/text.ts'
import { checkHost } from '../../resolve/host.ts'

const ownFlags = {
  '-T, --without-tty': 'Do not allocate a terminal',
  '-e, --env <...name=value>': 'Set a variable in the container; needs stacks:deploy',
  '-u, --user <user>': 'Run as this user: name or id, optionally with `:group`',
  '--entrypoint <program>': 'Run this program instead of the entrypoint of the service',
  '-p, --publish <...port>':
    'Publish a port, such as 8080:80 or 127.0.0.1:8080:80; needs stacks:deploy',
  '--service-ports': 'Publish the ports of the service; needs stacks:deploy',
  '--keep': 'Keep the container after its end; it is removed by default',
  '--no-deps': 'Do not require that the services that it depends on are up',
} as const

export default command({
  args: '<name> <service> [...command]',
  flags: ownFlags,
  verbatim: true,
  details: `
Runs a command, by default that of the service, in a new container of a service, and removes the container afterwards.
The container has the files, volumes and networks of the service as it was last deployed, and publishes only ports that
you ask for. The services that it depends on must be up: they are not started. Put flags of the client before the stack:
everything after the service belongs to the command. Exits with the exit code of the command.`,
  examples: ['cli stacks run shop web', 'cli stacks run -T shop web -- npm run migrate'],
  fields: { command: '[...command]', env: '--env', dependencies: '--no-deps' },
  run,
})

type Given = Call<'<name> <service> [...command]', typeof ownFlags>

async function run({ args, flags, io, client }: Given): Promise<number> {
  const { name, service } = args
  const tty = !flags.withoutTty && Boolean(io.stdin.isTTY && io.stdout.isTTY)
  const body: RunBody = {
    command: args.command.length > 0 ? args.command : undefined,
    entrypoint: flags.entrypoint === undefined ? undefined : [flags.entrypoint],
    env: flags.env.length > 0 ? variablesOf(flags.env, io.env) : undefined,
    user: flags.user,
    publish: flags.publish.length > 0 ? [...flags.publish] : undefined,
    service_ports: flags.servicePorts || undefined,
    tty,
    keep: flags.keep || undefined,
    dependencies: flags.noDeps ? false : undefined,
  }
  const api = await client()
  await checkHost(api, name, flags.host)
  const { value: stack } = await api.get('/stacks/{name}', { path: { name } })
  const made = await api.post('/stacks/{name}/services/{service}/run', {
    path: { name, service },
    body,
    timeout: 0,
  })
  return attached(api, { id: made.value.container_id, host: stack.host, tty }, io)
}

interface Made {
  id: string
  host: string
  tty: boolean
}

async function attached(api: Client, { id, host, tty }: Made, io: Io): Promise<number> {
  let feed: Feed | undefined
  let isLeft = false
  // From here on the container exists, so an interrupt must remove it. With a terminal, an
  // interrupt goes to the command as a key.
  const undo = io.onInterrupt?.(() => {
    isLeft = true
    feed?.close()
  })
  try {
    const { columns = 80, rows = 24 } = io.stdout
    const size = tty ? { cols: String(columns || 80), rows: String(rows || 24) } : {}
    feed = await api.feed('/ws/attach/{id}', { path: { id }, query: { host, ...size } })
    if (isLeft) feed.close()
    return await attachTo(feed, { tty, interactive: false }, io)
  } catch (error) {
    if (!isLeft) throw error
    await removeNow(api, id, host)
    throw interrupted()
  } finally {
    undo?.()
  }
}

/** Removes the container at once. Without the permission for that it goes 30 s later. */
async function removeNow(api: Client, id: string, host: string): Promise<void> {
  try {
    await api.delete('/containers/{id}', { path: { id }, query: { host, force: true } })
  } catch (error) {
    if (!(error instanceof ApiFailure) || ![403, 404].includes(error.status)) throw error
  }
}

/** Parses `NAME=value`; a name alone takes the value of the client's own environment. */
function variablesOf(given: readonly string[], own: Io['env']): Record<string, string> {
  const entries = given.map((text) => {
    const at = text.indexOf('=')
    const name = at < 0 ? text : text.slice(0, at)
    if (name === '') throw wrongUsage(`--env ${clean(text)}: must be name=value`)
    return [
      name,
      at < 0 ? ((Object.hasOwn(own, name) ? own[name] : undefined) ?? '') : text.slice(at + 1),
    ] as const
  })
  return Object.fromEntries(entries)
}
