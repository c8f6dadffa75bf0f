import { afterAll, beforeAll, expect, test } from 'vitest'
import { docker } from '../../adapters/testing/docker.ts'
import type { Json } from '../../adapters/testing/json.ts'
import writeAsCompose from '../../functions/containers/compose.ts'
import create from '../../functions/stacks/create.ts'
import deploy from '../../functions/stacks/deploy.ts'
import plan from '../../functions/stacks/plan.ts'
import { call } from '../harness/call.ts'
import { freePort } from '../harness/free-port.ts'
import { realEngineWorld } from '../harness/real-engine-world.ts'
import { removeFromEngine } from '../harness/remove-from-engine.ts'
import { unique } from '../harness/unique.ts'

// Containers of `docker run` are written as a compose file, removed, and deployed from it. The
// Engine then shows the same of each.
const name = unique('ascompose')
const world = realEngineWorld()
const [network, other, volume] = [`${name}-lan`, `${name}-back`, `${name}-data`]
const sleeping = ['busybox:latest', 'sleep', '600']

/** Name of a container → the words of its `docker run`. */
const commands: Record<string, string[]> = {
  many: [
    ...['--hostname', 'own', '--user', '1000:1000', '--workdir', '/tmp', '--label', 'team=a$b'],
    ...['--env', 'SUM=$5 ${HOME}', '--env', "DB_PASSWORD=it's #1", '--env', 'DATE=2026-11-30'],
    ...['--restart', 'unless-stopped', '--memory', '64m', '--memory-reservation', '32m'],
    ...['--cpus', '0.5', '--pids-limit', '50', '--ulimit', 'nofile=100:200', '--init'],
    ...['--cap-add', 'NET_ADMIN', '--cap-drop', 'MKNOD', '--group-add', '44', '--read-only'],
    ...['--security-opt', 'no-new-privileges', '--sysctl', 'net.core.somaxconn=1024'],
    ...['--dns', '1.1.1.1', '--add-host', 'a:1.2.3.4', '--add-host', 'b:::1'],
    ...['--tmpfs', '/scratch:size=1m', '--shm-size', '32m', '--device', '/dev/null:/dev/x:r'],
    ...['--stop-signal', 'SIGINT', '--stop-timeout', '3', '--oom-score-adj', '100'],
    ...['--health-cmd', 'true', '--health-interval', '1h', '--health-retries', '2'],
    ...['--log-driver', 'json-file', '--log-opt', 'max-size=1m'],
    // Not among the mounts: Docker 20.10 hands on no such mount by --volumes-from.
    ...['--mount', 'type=tmpfs,target=/t,tmpfs-size=1048576'],
  ],
  mounts: [
    ...['--volume', `${volume}:/data`, '--volume', '/anonymous', '--volume', '/tmp:/host:ro'],
    ...['--mount', 'type=bind,source=/etc,target=/etc-of-host,readonly'],
  ],
  joined: ['--network', network, '--network-alias', 'site', '--ip', '10.213.77.9'],
  host: ['--network', 'host', '--pid', 'host', '--ipc', 'host', '--uts', 'host'],
  open: ['--security-opt', 'apparmor=unconfined'],
  terminal: ['--interactive', '--tty', '--entrypoint', '/bin/sh', '--no-healthcheck'],
}

const names = Object.keys(commands)
const named = (container: string) => `${name}-${container}`

beforeAll(async () => {
  docker('network', 'create', '--subnet', '10.213.77.0/24', network)
  docker('network', 'create', other)
  docker('volume', 'create', volume)
  const port = String(await freePort())
  for (const [container, words] of Object.entries(commands)) {
    const ports = container === 'many' ? ['--publish', `127.0.0.1:${port}:80`] : []
    const command = container === 'terminal' ? ['busybox:latest'] : sleeping
    docker('run', '--detach', '--name', named(container), ...ports, ...words, ...command)
  }
  docker('network', 'connect', '--alias', 'api', other, named('joined'))
  const sharing = ['--network', `container:${named('many')}`, '--volumes-from', named('mounts')]
  docker('run', '--detach', '--name', named('sharing'), ...sharing, ...sleeping)
})

afterAll(async () => {
  const unnamed = volumesOf(named('mounts')).filter((one) => one !== volume)
  await removeFromEngine(name)
  if (unnamed.length > 0) docker('volume', 'rm', ...unnamed)
  await world.close()
})

test('the Engine shows the same of containers that are deployed from what was written', async () => {
  const { ports } = world
  const all = [...names, 'sharing'].map(named)
  const before = all.map(comparable)
  const written = await call(writeAsCompose, { ports, as: 'admin', body: { names: all } })
  expect(written.status, written.text).toBe(200)
  const { compose, env } = written.json
  // Not the volume without a name: what was written asks for it by its id.
  docker('rm', '--force', ...all)
  const body = { name, compose, ...(env !== null && { env }) }
  const made = await call(create, { ports, as: 'admin', body })
  expect(made.status, made.text).toBe(201)
  const done = await call(deploy, { ports, as: 'admin', path: { name }, body: {} })
  expect(done.json, done.text).toMatchObject({ status: 'succeeded' })
  expect(all.map(comparable)).toEqual(before)
})

test('a deploy takes over a container in one step, and the Engine shows the same of it', async () => {
  const { ports } = world
  const loose = named('loose')
  const words = ['--volume', `${volume}:/data`, '--env', 'A=1', '--label', 'team=a']
  docker('run', '--detach', '--name', loose, ...words, ...sleeping)
  const before = comparable(loose)
  const as = 'admin' as const
  const written = await call(writeAsCompose, { ports, as, body: { names: [loose] } })
  const path = { name: `${name}-taken` }
  const body = { ...path, compose: written.json.compose }
  expect((await call(create, { ports, as, body })).status).toBe(201)
  const planned = await call(plan, { ports, as, path, body: { take_over: true } })
  const replaced = planned.json.filter(({ action }: Json) => action === 'recreate')
  expect(replaced, planned.text).toMatchObject([{ kind: 'container', reason: 'taken over' }])
  const done = await call(deploy, { ports, as, path, body: { take_over: true } })
  expect(done.json, done.text).toMatchObject({ status: 'succeeded' })
  expect(comparable(loose)).toEqual(before)
  expect((await call(plan, { ports, as, path, body: {} })).json).toEqual([])
})

const volumesOf = (container: string) =>
  docker('inspect', '--format', '{{range .Mounts}}{{.Name}}\n{{end}}', container)
    .split('\n')
    .filter(Boolean)

/** Parts that differ between any two containers, or only say how one was started. */
const ofOne = ['Hostname', 'AttachStdin', 'AttachStdout', 'AttachStderr', 'Image', 'Volumes']
const ofStart = ['ContainerIDFile', 'ConsoleSize', 'Binds', 'Mounts', 'NetworkMode', 'Links']

/** Returns what the Engine shows of a container, less what differs between any two. */
function comparable(container: string): Json {
  const [shown] = JSON.parse(docker('inspect', container)) as Json[]
  const { Id, Config, HostConfig, Mounts, NetworkSettings } = shown
  const isDefaultName = Id.startsWith(Config.Hostname)
  return withoutEmpty({
    name: container,
    image: Config.Image,
    hostname: isDefaultName ? '' : Config.Hostname,
    config: { ...without(Config, ofOne), Labels: ownLabels(Config.Labels) },
    host: hostOf(HostConfig),
    mode: modeOf(HostConfig.NetworkMode),
    mounts: Mounts.map(({ Type, Name, Source, Destination, RW }: Json) => ({
      Type,
      Source: Name ?? Source,
      Destination,
      RW,
    })).sort((one: Json, two: Json) => (one.Destination < two.Destination ? -1 : 1)),
    networks: Object.fromEntries(
      Object.entries<Json>(NetworkSettings.Networks)
        .sort()
        .map(([network, one]) => [network, endpointOf(one, { id: Id, name: container })]),
    ),
  })
}

const hostOf = (host: Json) => ({
  ...without(host, ofStart),
  // Its order does not matter.
  VolumesFrom: host.VolumesFrom?.length,
  // The Engine has two names for none.
  RestartPolicy: host.RestartPolicy.Name === 'no' ? null : host.RestartPolicy,
})

const without = (fields: Json, keys: readonly string[]) =>
  Object.fromEntries(Object.entries(fields).filter(([key]) => !keys.includes(key)))

const ownLabels = (labels: Record<string, string>) =>
  Object.fromEntries(
    Object.entries(labels ?? {}).filter(([key]) => !/^(com\.docker|container-stacks)\./.test(key)),
  )

/** The usual network has two names, and a container that is joined has another id. */
const modeOf = (mode: string) =>
  mode.replace('default', 'bridge').replace(/^container:.*/, 'joined')

const endpointOf = (one: Json, { id, name: own }: { id: string; name: string }) => ({
  addresses: one.IPAMConfig,
  aliases: (one.Aliases ?? []).filter((alias: string) => alias !== own && !id.startsWith(alias)),
})

/** The Engine shows null, an empty list and an empty object for the same. */
function withoutEmpty(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutEmpty)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([key, one]) => [key, withoutEmpty(one)] as const)
  return Object.fromEntries(entries.filter(([, one]) => !isNothing(one)))
}

const isNothing = (value: unknown) =>
  value === null ||
  value === undefined ||
  value === '' ||
  value === false ||
  value === 0 ||
  (typeof value === 'object' && Object.keys(value).length === 0)
