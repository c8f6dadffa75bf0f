import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { present } from '../../adapters/testing/present.ts'
import { type FarMachine, startFarMachine } from '../harness/far-machine.ts'
import type { Machine } from '../harness/machine.ts'
import { api, cli, type Place, type Running, until } from '../harness/service.ts'

/** The addresses of the machine's Engine: room for four networks, assigned in ascending order. */
const addresses = { base: '10.77.0.0/22', size: 24 }
const firstSubnet = '10.77.0.0/24'

let far: FarMachine
let machine: Machine
let place: Place
let running: Running
let token: string
let host: string

beforeAll(async () => {
  far = await startFarMachine({ addresses })
  machine = far.machine
  place = far.place
  running = far.running
  token = far.token
  host = far.host.id
  expect((await cli(place, ['login', running.url, '--token', token])).code).toBe(0)
})

afterAll(() => far?.remove())

const busybox = 'image: "busybox:latest", init: true, stop_grace_period: 0s, network_mode: none'

async function deployed(name: string, compose: string) {
  const made = await api(running, 'POST', '/stacks', { token, body: { name, host, compose } })
  expect(made.status, JSON.stringify(made.json)).toBe(201)
  return api(running, 'POST', `/stacks/${name}/deploy`, { token, body: {} })
}

const client = (...words: string[]) => cli(place, words)
/** Runs a command line of a shell in which `cli` is the client and `in` and `out` are files. */
const shell = (line: string) => {
  const program = join(process.cwd(), 'dist/cli.js')
  const script = `cli() { '${process.execPath}' '${program}' "$@"; }; ${line}`
  const env = { ...process.env, HOME: place.directory }
  const options = { cwd: place.directory, env, encoding: 'utf8' } as const
  return execFileSync('bash', ['-c', script], { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
}

test('one service without a log does not end the log of its stack', async () => {
  const say = 'sh -c "while true; do echo from $$0; sleep 1; done"'
  const { json } = await deployed(
    'quiet',
    `services:
  mute: {${busybox}, command: ${say} mute, logging: {driver: none}}
  loud: {${busybox}, command: ${say} loud}
`,
  )
  expect(json).toMatchObject({ status: 'succeeded' })
  const all = await until(
    () => client('stacks', 'logs', 'quiet'),
    ({ stdout }) => stdout.includes('from loud'),
  )
  expect([all.code, all.stdout.includes('from mute')]).toEqual([0, false])
  expect(all.stderr.match(/mute/g)).toHaveLength(1)
  const alone = await client('stacks', 'logs', 'quiet', 'mute')
  expect([alone.code, alone.stdout]).toEqual([1, ''])
  expect(alone.stderr).toContain('its log driver (none) does not support it')
  // `head` ends the client, which would follow for ever.
  const followed = shell('cli stacks logs quiet -f 2>notes | head -n 3')
  expect(followed.match(/from loud/g)).toHaveLength(3)
  expect(readFileSync(join(place.directory, 'notes'), 'utf8').match(/mute/g)).toHaveLength(1)
})

test.each([
  ['without a terminal', 'plain', false],
  ['with a terminal', 'terminal', true],
])(
  'long, broken and last lines of a container %s are those of docker logs',
  async (_, name, tty) => {
    const script = [
      'head -c 40000 /dev/zero | tr "\\0" x; echo',
      'head -c 16383 /dev/zero | tr "\\0" y; printf "€"; head -c 100 /dev/zero | tr "\\0" z; echo',
      'printf "a\\rb\\rc\\n"; echo; printf end',
    ].join('; ')
    const { json } = await deployed(
      name,
      JSON.stringify({
        services: {
          one: {
            image: 'busybox:latest',
            network_mode: 'none',
            tty,
            restart: 'no',
            command: ['sh', '-c', script],
          },
        },
      }),
    )
    expect(json).toMatchObject({ status: 'succeeded' })
    const container = `${name}-one-1`
    machine.docker('wait', container)
    const printed = machine.docker('logs', container).replaceAll('\r\n', '\n')
    const { code, stdout } = await client('containers', 'logs', container, '--host', 'far')
    expect([code, stdout]).toEqual([0, `${printed}\n`])
  },
)

test('a pipe through exec is binary, and ends with its command or with its reader', async () => {
  const { json } = await deployed('pipes', `services: {one: {${busybox}, command: sleep 1d}}\n`)
  expect(json).toMatchObject({ status: 'succeeded' })
  const exec = 'cli containers exec --host far pipes-one-1'
  shell('head -c 20M /dev/urandom > in')
  shell(`${exec} sh -c 'cat > /tmp/x' < in`)
  shell(`${exec} cat /tmp/x > out`)
  const sum = (file: string) =>
    createHash('sha256')
      .update(readFileSync(join(place.directory, file)))
      .digest('hex')
  expect(sum('out')).toBe(sum('in'))
  expect(shell(`echo hi | ${exec} cat`)).toBe('hi\n')
  expect(shell(`${exec} sh -c 'exit 3' < /dev/null; echo $?`)).toBe('3\n')
  expect(shell(`cat in | ${exec} head -c 10 | wc -c`)).toBe('10\n')
  expect(shell(`${exec} yes | head -1`)).toBe('y\n')
  const both = `${exec} sh -c 'cat; echo err >&2; exit 7' < in > out 2> err; echo $?; cat err`
  expect(shell(both)).toBe('7\nerr\n')
  expect(sum('out')).toBe(sum('in'))
  await until(
    async () => machine.docker('top', 'pipes-one-1'),
    (processes) => !processes.includes('yes'),
  )
})

test('a network with a subnet gets it before another takes it, or names what has it', async () => {
  const networks = `networks: {aa: , bb: , zz: {ipam: {config: [{subnet: ${firstSubnet}}]}}}\n`
  const service = '{image: "busybox:latest", init: true, command: sleep 1d, networks: [aa, bb, zz]}'
  const compose = `services: {one: ${service}}\n${networks}`
  const { json } = await deployed('subnets', compose)
  expect(json, JSON.stringify(json)).toMatchObject({ status: 'succeeded' })
  const subnet = machine.docker('network', 'inspect', 'subnets_zz', '-f', '{{json .IPAM.Config}}')
  expect(present(JSON.parse(subnet)[0]).Subnet).toBe(firstSubnet)

  const failed = await deployed('others', compose)
  expect(failed.json).toMatchObject({ status: 'failed' })
  expect(failed.json.error).toContain(`others_zz`)
  expect(failed.json.error).toContain(firstSubnet)
  expect(machine.docker('network', 'ls', '-q', '-f', 'name=others')).toBe('')
})
