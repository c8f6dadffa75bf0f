import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { present } from '../../adapters/testing/present.ts'
import { buildExecutable } from '../../packaging/executables/build-executable.ts'
import { bundleProgram } from '../../packaging/executables/bundle.ts'
import { nameOf, programs, targets, thisMachine } from '../../packaging/executables/targets.ts'
import { packInto } from '../../packaging/npm/pack.ts'
import { median, ratio, short, sized, table } from './numbers.ts'
import { buildService, dataDirectory, startService } from './service.ts'

const rounds = sized(41, 3)
const cli = fileURLToPath(new URL('../../dist/cli.js', import.meta.url))

/** Measures how long commands of the client take beside those of docker, and sizes. */
export async function clientBench(): Promise<string> {
  buildService()
  const folder = mkdtempSync(join(tmpdir(), 'container-stacks-bench-'))
  try {
    const program = present(programs.find(({ name }) => name === 'cli'))
    const { script } = await bundleProgram(program.main)
    for (const target of targets) {
      buildExecutable(program, script, target, join(folder, nameOf(target)))
    }
    const times = await timesBeside(join(folder, nameOf(thisMachine())), folder)
    return `${times}\n\n${sizesIn(folder, script)}`
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Measures the commands with a service that has three stacks. */
async function timesBeside(executable: string, home: string): Promise<string> {
  const data = dataDirectory()
  const service = await startService(data.path)
  try {
    await service.signIn()
    for (const name of ['blog', 'shop', 'wiki']) {
      const compose = 'services: {web: {image: busybox}}'
      await service.call('POST', '/stacks', { name, compose })
    }
    const given = ['--server', `http://127.0.0.1:${service.port}`, '--token', `${service.token}`]
    return timesOf(executable, given, home)
  } finally {
    await service.stop()
    data.remove()
  }
}

/** Runs the commands in turn, with an empty home directory. */
function timesOf(executable: string, service: string[], home: string): string {
  const list = ['stacks', 'list', ...service]
  const commands: [name: string, base: string, words: string[]][] = [
    ['`docker --help`', '', ['docker', '--help']],
    ['`cli help`, executable', '`docker --help`', [executable, 'help']],
    ['`cli help`, Node.js', '`docker --help`', [process.execPath, cli, 'help']],
    ['`docker ps`', '', ['docker', 'ps']],
    ['`cli stacks list`, executable', '`docker ps`', [executable, ...list]],
    ['`cli stacks list`, Node.js', '`docker ps`', [process.execPath, cli, ...list]],
    ['an empty script, Node.js', '', [process.execPath, '-e', '']],
  ]
  const times = new Map(
    commands.map(([name]) => [name, { wall: [] as number[], cpu: [] as number[] }]),
  )
  for (let round = 0; round <= rounds; round += 1) {
    for (const [name, , words] of commands) {
      const { wall, cpu } = timeOf(words, home)
      if (round === 0) continue
      times.get(name)?.wall.push(wall)
      times.get(name)?.cpu.push(cpu)
    }
  }
  const middle = (name: string) => {
    const { wall = [], cpu = [] } = times.get(name) ?? {}
    return { wall: median(wall), cpu: mean(cpu) }
  }
  const rows = commands.map(([name, base]) => {
    const { wall, cpu } = middle(name)
    const ratios = base ? [ratio(wall, middle(base).wall), ratio(cpu, middle(base).cpu)] : ['', '']
    return [name, short(wall), short(cpu), ...ratios]
  })
  const text = `${rounds} rounds in which the commands take turns; medians of the time, means of the processor time. \`docker ps\` asks the Engine through its socket, \`cli stacks list\` a service with three stacks over TCP on this machine.`
  const head = ['', 'ms', 'processor ms', 'time/docker', 'processor time/docker']
  return `${text}\n\n${table(head, rows)}`
}

/** The kernel reports processor time in steps of 10 ms, so its mean says more than its median. */
const mean = (values: number[]) => values.reduce((sum, one) => sum + one, 0) / values.length

/** Returns the time and the processor time of a command, in milliseconds. */
function timeOf([program = '', ...words]: string[], home: string) {
  const env = { PATH: process.env.PATH, HOME: home }
  const [begin, used] = [performance.now(), childSeconds()]
  const { status, stderr } = spawnSync(program, words, { env, stdio: ['ignore', 'ignore', 'pipe'] })
  if (status !== 0) throw new Error(`${program} ${words[0]}: ${stderr}`)
  return { wall: performance.now() - begin, cpu: 1000 * (childSeconds() - used) }
}

/** Returns the processor time of all children of this process that have ended, in seconds. */
function childSeconds(): number {
  const stat = readFileSync('/proc/self/stat', 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[13]) + Number(fields[14])) / 100
}

/** Returns a table of the sizes of the executables in a folder, and of the npm package. */
function sizesIn(folder: string, script: string): string {
  const mega = (bytes: number) => short(bytes / 1e6)
  const gzip = (...words: string[]) => execFileSync('gzip', words, { maxBuffer: 2 ** 30 }).length
  const rows = targets.map((target) => {
    const file = join(folder, nameOf(target))
    return [`client, ${nameOf(target)}`, mega(statSync(file).size), mega(gzip('-9c', file))]
  })
  rows.push(['the client as a script', mega(script.length), mega(gzipSync(script).length)])
  const archive = packInto(folder)
  const sizes = [mega(gzip('-dc', archive)), mega(statSync(archive).size)]
  rows.push(['npm package: service, client and browser UI', ...sizes])
  return table(['', 'MB', 'gzip MB'], rows)
}
